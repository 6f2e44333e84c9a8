// The page's words in German. A message's name is its text in English; names in braces stand for
// what is put in, and ` #…` at the end tells apart what English says in one way.

export const GERMAN = {
  // Figures: all of them.
  'All {count} {noun}': 'Alle {count} {noun}',
  'all {count} {noun}': 'alle {count} {noun}',
  '{count} of {all} {noun}': '{count} der {all} {noun}',
  '{count} {noun}': '{count} {noun}',
  '1 row': '1 Zeile',
  '1 of the {noun}': '1 der {noun}',
  'version {version}': 'Version {version}',
  Bar: 'Balken',
  Share: 'Anteil',
  'no value': 'kein Wert',
  blank: 'leer',
  yes: 'ja',
  no: 'nein',
  '{list} and {last}': '{list} und {last}',
  '{from} to {to}': '{from} bis {to}',
  '{from} and over': 'ab {from}',
  'under {to}': 'unter {to}',
  'Empty figure': 'Leere Grafik',
  'No {noun} match.': 'Keine {noun} gefunden.',
  '{measured}: its only value is blank.': '{measured}: Der einzige Wert ist leer.',
  '{measured}: all {count} values are blank.': '{measured}: Alle {count} Werte sind leer.',
  '{rows} has no {field}.': '{rows} ohne {field}.',
  '{rows} have no {field}.': '{rows} ohne {field}.',
  'Each is the average of {count} {noun}.': 'Jeder Wert ist ein Durchschnitt ({count} {noun}).',
  'Each is the average of {least} to {most} {noun}.':
    'Jeder Wert ist ein Durchschnitt ({least} bis {most} {noun}).',
  // Figures: marks, as a page offers them and as a figure is called.
  line: 'Linie',
  Line: 'Linie',
  '{count} lines': '{count} Linien',
  bars: 'Balken',
  Bars: 'Balken',
  histogram: 'Histogramm',
  Histogram: 'Histogramm',
  'heat table': 'Farbtabelle',
  'Heat table': 'Farbtabelle',
  'parts of 100 %': 'Teile von 100 %',
  'Bars of 100 %': 'Balken zu 100 %',
  'circles on a map': 'Kreise auf einer Karte',
  'squares on a map': 'Quadrate auf einer Karte',
  'areas on a map': 'Gebiete auf einer Karte',
  Map: 'Karte',
  // Figures: titles, and what measures stand before a field.
  '{measured}, by {by}': '{measured}, nach {by}',
  '{measured}, in squares of {width}': '{measured}, in Quadraten von {width}',
  '{title}, as parts of 100 %': '{title}, als Teile von 100 %',
  '{noun} on the map': '{noun} auf der Karte',
  '{part} of {field}': '{part} von {field}',
  '{count} more': '{count} weitere',
  'Rows with': 'Zeilen mit',
  'Different values of': 'Verschiedene Werte von',
  'Sum of': 'Summe von',
  'Average of': 'Durchschnitt von',
  Least: 'Kleinster Wert von',
  Greatest: 'Größter Wert von',
  'Median of': 'Median von',
  '{number}th percentile of': '{number}. Perzentil von',
  '{number}st percentile of': '{number}. Perzentil von',
  '{number}nd percentile of': '{number}. Perzentil von',
  '{number}rd percentile of': '{number}. Perzentil von',
  'Share of rows': 'Anteil der Zeilen',
  'Share of {noun}': 'Anteil der {noun}',
  'Share of the sum of': 'Anteil an der Summe von',
  // Figures: numbers.
  '{number} %': '{number} %',
  '{number}k': '{number} Tsd.',
  '{number}M': '{number} Mio.',
  '{number}B': '{number} Mrd.',
  '{number} million': '{number} Millionen',
  '{number} million #one': '{number} Million',
  '{number} billion': '{number} Milliarden',
  '{number} billion #one': '{number} Milliarde',
  '{degrees}° N': '{degrees}° N',
  '{degrees}° S': '{degrees}° S',
  '{degrees}° E': '{degrees}° O',
  '{degrees}° W': '{degrees}° W',
  // Figures: time. In German, what is counted stands in the dative: “in 12 Monaten”.
  day: 'Tag',
  week: 'Woche',
  month: 'Monat',
  quarter: 'Quartal',
  year: 'Jahr',
  'month of year': 'Monat des Jahres',
  'week of year': 'Kalenderwoche',
  weekday: 'Wochentag',
  hour: 'Stunde',
  'week {week}': 'KW {week}',
  'day #counted': 'Tag',
  'days #counted': 'Tagen',
  'week #counted': 'Woche',
  'weeks #counted': 'Wochen',
  'month #counted': 'Monat',
  'months #counted': 'Monaten',
  'quarter #counted': 'Quartal',
  'quarters #counted': 'Quartalen',
  'year #counted': 'Jahr',
  'years #counted': 'Jahren',
  'in {count} {periods}': 'in {count} {periods}',
  '{day} {month}': '{day}. {month}',
  '{day} {month} {year}': '{day}. {month} {year}',
  '{day} {month} {year} #long': '{day}. {month} {year}',
  'on {day} {month} {year}': 'am {day}. {month} {year}',
  '{year}-W{week}': 'KW {week}/{year}',
  'week {week} of {year}': 'Kalenderwoche {week}/{year}',
  'in week {week} of {year}': 'in Kalenderwoche {week}/{year}',
  '{month} {year}': '{month} {year}',
  '{month} {year} #long': '{month} {year}',
  'in {month} {year}': 'im {month} {year}',
  'Q{quarter} {year}': 'Q{quarter} {year}',
  'Q{quarter} {year} #long': '{quarter}. Quartal {year}',
  'in Q{quarter} {year}': 'im {quarter}. Quartal {year}',
  'in {year}': 'im Jahr {year}',
  // Figures: lines.
  Highest: 'Höchstwert',
  Lowest: 'Tiefstwert',
  Last: 'Zuletzt',
  'So far': 'Bisher',
  'All equal': 'Alle gleich',
  'Only one': 'Nur einer',
  Change: 'Veränderung',
  'There is one value: {value} {when}.': 'Es gibt einen Wert: {value} {when}.',
  'All {count} values are {value}.': 'Alle {count} Werte betragen {value}.',
  'From {first} {whenFirst}{rankOfFirst} to {last} {whenLast}{rank}.':
    'Von {first} {whenFirst}{rankOfFirst} auf {last} {whenLast}{rank}.',
  ', the highest,': ' (Höchstwert)',
  ', the lowest,': ' (Tiefstwert)',
  ', the highest of {count} {periods}': ' (Höchstwert von {count} {periods})',
  ', the lowest of {count} {periods}': ' (Tiefstwert von {count} {periods})',
  'Highest {value}, {when}.': 'Höchstwert {value}, {when}.',
  'Lowest {value}, {when}.': 'Tiefstwert {value}, {when}.',
  'The greatest change is {change}, from {from} to {to}.':
    'Größte Veränderung: {change}, {from} bis {to}.',
  '{period} has data from {day} on.': '{period} hat erst ab dem {day} Daten.',
  '{period} has data up to {day} only.': '{period} hat nur bis zum {day} Daten.',
  'The axis starts at {value}, not at 0.': 'Die Achse beginnt bei {value}, nicht bei 0.',
  '{when} {name} has the most, {most}, {other} the least, {least}.':
    '{when} hat {name} mit {most} den höchsten Wert, {other} mit {least} den niedrigsten.',
  '{when} {name} had {value}.': '{when} war {value} der Wert von {name}.',
  '{when} all {count} had {value}.': '{when} war {value} der Wert von allen {count}.',
  '{name} ends {when}': '{name} endet {when}',
  '{count} of the {all} have no values.': '{count} von {all} ohne Werte.',
  'By {part} there are more than {count} points: too many for a figure.':
    'Nach {part} sind es mehr als {count} Punkte: zu viele für eine Grafik.',
  'By {part} there would be too many points, so it is by {other}.':
    'Nach {part} wären es zu viele Punkte, daher nach {other}.',
  '{count} earlier {periods} are not drawn.':
    'Werte aus {count} früheren {periods} sind nicht gezeichnet.',
  '{count} groups are not in it.': '{count} Gruppen sind nicht enthalten.',
  '{count} more are not drawn; lines are {most} at most.':
    '{count} weitere sind nicht gezeichnet; es sind höchstens {most} Linien.',
  // Figures: bars.
  'in 1 group': 'in 1 Gruppe',
  'in {count} groups': 'in {count} Gruppen',
  'and {count} more': 'und {count} weitere',
  'All {count} have {value}.': 'Alle {count} haben den Wert {value}.',
  'All {count} shown have {value}.': 'Alle {count} gezeigten haben den Wert {value}.',
  '{name} is the most frequent: {value} of {count} {noun}, {share}.':
    '{name} ist am häufigsten: {value} der {count} {noun}, {share}.',
  'Of the {shown} shown, {name} is the most frequent: {value} of {count} {noun}, {share}.':
    'Von den {shown} gezeigten ist {name} am häufigsten: {value} der {count} {noun}, {share}.',
  '{name} has the most, {most}.': '{name} hat mit {most} den höchsten Wert.',
  'Of the {shown} shown, {name} has the most, {most}.':
    'Von den {shown} gezeigten hat {name} mit {most} den höchsten Wert.',
  '{name} has the most, {most}, {other} the least, {least}.':
    '{name} hat mit {most} den höchsten Wert, {other} mit {least} den niedrigsten.',
  'The {shown} shown make up {share}; {more} more share the other {other} ({rest}).':
    'Die {shown} gezeigten machen {share} aus, {more} weitere die übrigen {other} ({rest}).',
  '{count} more are not shown.': '{count} weitere sind nicht gezeigt.',
  '1 of them has no number.': '1 davon hat keine Zahl.',
  '{count} of them have no number.': '{count} davon haben keine Zahl.',
  'Filters on groups leave some out.': 'Filter auf Gruppen lassen einige weg.',
  // Figures: histograms.
  'in steps of {width}': 'in Schritten von {width}',
  'Of all': 'Von allen',
  '{range}, {count} of all': '{range}, {count} von allen',
  'Median {value}': 'Median {value}',
  'The fullest step is {step}{unit}: {count} {noun}.':
    'Am häufigsten ist {step}{unit}: {count} {noun}.',
  'The highest is {step}{unit}: {value}.': 'Am höchsten ist {step}{unit}: {value}.',
  'The median is {value}.': 'Bei {value} liegt der Median.',
  'Filled: the {rows} chosen. Outlined: all {count}.':
    'Gefüllt: {rows} (Auswahl). Umriss: alle {count}.',
  'In steps of {width} there are more than {count} columns: too many for a figure.':
    'In Schritten von {width} sind es mehr als {count} Säulen: zu viele für eine Grafik.',
  // Figures: heat tables.
  'in {count} cells': 'in {count} Zellen',
  'All {count} cells have {value}.': 'Der Wert {value} steht in allen {count} Zellen.',
  'Highest {most}, {mostOf}. Lowest {least}, {leastOf}.':
    'Höchstwert {most}, {mostOf}. Tiefstwert {least}, {leastOf}.',
  'Cells without a number are empty.': 'Zellen ohne Zahl sind leer.',
  '{count} more rows are not shown; {most} are the most.':
    '{count} weitere Zeilen sind nicht gezeigt; es sind höchstens {most}.',
  '{count} more columns are not shown; {most} are the most.':
    '{count} weitere Spalten sind nicht gezeigt; es sind höchstens {most}.',
  'By {part} there would be too many columns, so it is by {other}.':
    'Nach {part} wären es zu viele Spalten, daher nach {other}.',
  'There are more than {count} periods: too many for a heat table.':
    'Es sind mehr als {count} Zeiträume: zu viele für eine Farbtabelle.',
  'There are {count} groups: too many for a heat table.':
    'Es sind {count} Gruppen: zu viele für eine Farbtabelle.',
  // Figures: parts of 100 %.
  'in {count} bars': 'in {count} Balken',
  others: 'übrige',
  '{part} is {most} of {name}.': '{part} hat {most} von {name}.',
  '{part} is {most} of {name}, the most, and {least} of {other}, the least.':
    '{part} hat den größten Anteil bei {name}, {most}, und den kleinsten bei {other}, {least}.',
  'Only the {count} greatest have a part of their own.':
    'Nur die {count} größten haben einen eigenen Teil.',
  '{count} more bars are not shown.': '{count} weitere Balken sind nicht gezeigt.',
  // Figures: maps.
  'at 1 place': 'an 1 Ort',
  'at {count} places': 'an {count} Orten',
  'in {count} areas': 'in {count} Gebieten',
  'in {count} squares of {width}': 'in {count} Quadraten von {width}',
  Place: 'Ort',
  Distance: 'Entfernung',
  'Square around': 'Quadrat um',
  You: 'Hier',
  'no number': 'keine Zahl',
  'none #rows': '0',
  '{on} is on the map, {outside} outside it, {nowhere} without a place.':
    '{on} auf der Karte, {outside} außerhalb, {nowhere} ohne Ort.',
  '{on} are on the map, {outside} outside it, {nowhere} without a place.':
    '{on} auf der Karte, {outside} außerhalb, {nowhere} ohne Ort.',
  '{count} more are not shown; circles are {most} at most.':
    '{count} weitere sind nicht gezeigt; es sind höchstens {most} Kreise.',
  'The nearest, {name}, is {distance} away.': 'Am nächsten: {name}, {distance} entfernt.',
  'Squares hold {least} to {most} {noun}; the larger, the more.':
    'Je Quadrat {least} bis {most} {noun}; je größer, desto mehr.',
  'Squares have {least} to {most}; the larger, the more rows.':
    'Werte von {least} bis {most}; je größer das Quadrat, desto mehr Zeilen.',
  'There are more than {count} squares of {width}: too many for a map.':
    'Es sind mehr als {count} Quadrate von {width}: zu viele für eine Karte.',
  '1 area has no number.': '1 Gebiet hat keine Zahl.',
  '{count} areas have no number.': '{count} Gebiete haben keine Zahl.',
  '{count} more areas are not drawn.': '{count} weitere Gebiete sind nicht gezeichnet.',
  '{count} more groups are not on it.': '{count} weitere Gruppen sind nicht darauf.',
  '“{name}”{rows} is not on the map.': '„{name}“{rows} ist nicht auf der Karte.',
  '{count} groups{rows} are not on the map.': '{count} Gruppen{rows} sind nicht auf der Karte.',
  // Pages.
  Filters: 'Filter',
  '{count} more filters': '{count} weitere Filter',
} as const satisfies Readonly<Record<string, string>>;

/** What a page says. German is the first translation, so that it has the list of all. */
export type Message = keyof typeof GERMAN;

/** A language's table: it has every message. */
export type Translation = Readonly<Record<Message, string>>;
