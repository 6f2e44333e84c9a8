/** The names and codes of countries, beside those that `Intl` has. */

/** The two letters of each country and its three (ISO 3166-1). */
const LETTERS =
  'ADAND AEARE AFAFG AGATG AIAIA ALALB AMARM AOAGO AQATA ARARG ASASM ATAUT AUAUS AWABW AXALA AZAZE BABIH BBBRB BDBGD BEBEL BFBFA BGBGR BHBHR BIBDI BJBEN BLBLM BMBMU BNBRN BOBOL BQBES BRBRA BSBHS BTBTN BVBVT BWBWA BYBLR BZBLZ CACAN CCCCK CDCOD CFCAF CGCOG CHCHE CICIV CKCOK CLCHL CMCMR CNCHN COCOL CRCRI CUCUB CVCPV CWCUW CXCXR CYCYP CZCZE DEDEU DJDJI DKDNK DMDMA DODOM DZDZA ECECU EEEST EGEGY EHESH ERERI ESESP ETETH FIFIN FJFJI FKFLK FMFSM FOFRO FRFRA GAGAB GBGBR GDGRD GEGEO GFGUF GGGGY GHGHA GIGIB GLGRL GMGMB GNGIN GPGLP GQGNQ GRGRC GSSGS GTGTM GUGUM GWGNB GYGUY HKHKG HMHMD HNHND HRHRV HTHTI HUHUN IDIDN IEIRL ILISR IMIMN ININD IOIOT IQIRQ IRIRN ISISL ITITA JEJEY JMJAM JOJOR JPJPN KEKEN KGKGZ KHKHM KIKIR KMCOM KNKNA KPPRK KRKOR KWKWT KYCYM KZKAZ LALAO LBLBN LCLCA LILIE LKLKA LRLBR LSLSO LTLTU LULUX LVLVA LYLBY MAMAR MCMCO MDMDA MEMNE MFMAF MGMDG MHMHL MKMKD MLMLI MMMMR MNMNG MOMAC MPMNP MQMTQ MRMRT MSMSR MTMLT MUMUS MVMDV MWMWI MXMEX MYMYS MZMOZ NANAM NCNCL NENER NFNFK NGNGA NINIC NLNLD NONOR NPNPL NRNRU NUNIU NZNZL OMOMN PAPAN PEPER PFPYF PGPNG PHPHL PKPAK PLPOL PMSPM PNPCN PRPRI PSPSE PTPRT PWPLW PYPRY QAQAT REREU ROROU RSSRB RURUS RWRWA SASAU SBSLB SCSYC SDSDN SESWE SGSGP SHSHN SISVN SJSJM SKSVK SLSLE SMSMR SNSEN SOSOM SRSUR SSSSD STSTP SVSLV SXSXM SYSYR SZSWZ TCTCA TDTCD TFATF TGTGO THTHA TJTJK TKTKL TLTLS TMTKM TNTUN TOTON TRTUR TTTTO TVTUV TWTWN TZTZA UAUKR UGUGA UMUMI USUSA UYURY UZUZB VAVAT VCVCT VEVEN VGVGB VIVIR VNVNM VUVUT WFWLF WSWSM YEYEM YTMYT ZAZAF ZMZMB ZWZWE';

export const COUNTRY_CODES: readonly (readonly [two: string, three: string])[] = LETTERS.split(
  ' ',
).map((letters) => [letters.slice(0, 2), letters.slice(2)]);

/**
 * Other names in use, by the area's name in the outlines: of the United Nations, the World Bank,
 * Natural Earth, and older ones of the same country. None is the name of two: "Korea" is not here.
 */
export const OTHER_NAMES: Readonly<Record<string, readonly string[]>> = {
  AE: ['UAE'],
  BA: ['Bosnia', 'Bosnia and Herz.'],
  BN: ['Brunei Darussalam'],
  BO: ['Bolivia, Plurinational State of', 'Plurinational State of Bolivia'],
  CD: [
    'Democratic Republic of the Congo',
    'Congo, Democratic Republic of the',
    'Congo, Dem. Rep.',
    'Dem. Rep. Congo',
    'DR Congo',
    'Congo, DR',
    'DRC',
    'Congo (DRC)',
    'Congo (Kinshasa)',
  ],
  CF: ['Central African Rep.'],
  // ISO 3166 and the United Nations call this one "Congo".
  CG: [
    'Congo',
    'Republic of the Congo',
    'Congo, Republic of the',
    'Congo, Rep.',
    'Rep. Congo',
    'Congo (Brazzaville)',
  ],
  CI: ["Côte d'Ivoire", 'Ivory Coast'],
  CN: ["People's Republic of China"],
  CV: ['Cabo Verde'],
  CZ: ['Czech Republic', 'Czech Rep.'],
  DO: ['Dominican Rep.'],
  EG: ['Egypt, Arab Rep.'],
  EH: ['W. Sahara'],
  FK: ['Falkland Is.', 'Falkland Islands (Malvinas)'],
  FM: [
    'Federated States of Micronesia',
    'Micronesia, Federated States of',
    'Micronesia, Fed. Sts.',
  ],
  GB: ['UK', 'Great Britain', 'United Kingdom of Great Britain and Northern Ireland'],
  GQ: ['Eq. Guinea'],
  HK: ['Hong Kong', 'Hong Kong SAR', 'China, Hong Kong SAR', 'Hong Kong, China'],
  IE: ['Republic of Ireland'],
  IR: ['Iran, Islamic Republic of', 'Islamic Republic of Iran', 'Iran, Islamic Rep.'],
  KG: ['Kyrgyz Republic'],
  KN: ['Saint Kitts and Nevis'],
  KP: [
    "Democratic People's Republic of Korea",
    "Korea, Democratic People's Republic of",
    "Korea, Dem. People's Rep.",
    'Dem. Rep. Korea',
    'Korea, North',
    'DPRK',
  ],
  KR: ['Republic of Korea', 'Korea, Republic of', 'Korea, Rep.', 'Korea, South'],
  LA: ["Lao People's Democratic Republic", 'Lao PDR'],
  LY: ['Libyan Arab Jamahiriya'],
  MD: ['Republic of Moldova', 'Moldova, Republic of'],
  MK: [
    'Macedonia',
    'FYR Macedonia',
    'Macedonia, FYR',
    'Republic of North Macedonia',
    'The former Yugoslav Republic of Macedonia',
  ],
  MM: ['Myanmar', 'Burma'],
  MO: ['Macao', 'Macau', 'Macao SAR', 'China, Macao SAR'],
  NL: ['Netherlands, Kingdom of the'],
  PS: [
    'Palestine',
    'State of Palestine',
    'Palestine, State of',
    'West Bank and Gaza',
    'Occupied Palestinian Territory',
  ],
  RU: ['Russian Federation'],
  SB: ['Solomon Is.'],
  SH: ['Saint Helena, Ascension and Tristan da Cunha'],
  SK: ['Slovak Republic'],
  SS: ['S. Sudan'],
  SY: ['Syrian Arab Republic'],
  SZ: ['Swaziland', 'Eswatini'],
  TL: ['East Timor', 'Timor-Leste'],
  TR: ['Turkey', 'Türkiye'],
  TW: ['Taiwan, Province of China', 'Taiwan, China', 'Chinese Taipei'],
  TZ: ['United Republic of Tanzania', 'Tanzania, United Republic of'],
  US: ['USA', 'US', 'United States', 'United States of America'],
  VA: ['Holy See', 'Vatican', 'Vatican City State'],
  VE: ['Venezuela, Bolivarian Republic of', 'Venezuela, RB'],
  VG: ['Virgin Islands, British'],
  VI: ['Virgin Islands, U.S.', 'United States Virgin Islands'],
  VN: ['Viet Nam'],
  YE: ['Yemen, Rep.'],
  // These have no code of ISO 3166; XK is in use.
  Kosovo: ['Kosovo', 'XK', 'XKX'],
  Somaliland: ['Somaliland'],
  'N. Cyprus': ['N. Cyprus', 'Northern Cyprus'],
};
