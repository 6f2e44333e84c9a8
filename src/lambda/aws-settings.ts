/**
 * The settings of a function's AWS clients. Its region and keys are in the environment and stay the
 * same while it lives. The SDK would look for the rest in files that a function does not have.
 */
export function awsSettings(env = process.env) {
  return {
    region: env.AWS_REGION,
    credentials: {
      accessKeyId: env.AWS_ACCESS_KEY_ID ?? '',
      secretAccessKey: env.AWS_SECRET_ACCESS_KEY ?? '',
      sessionToken: env.AWS_SESSION_TOKEN,
    },
    authSchemePreference: [],
    retryMode: 'standard',
    useDualstackEndpoint: false,
    useFipsEndpoint: false,
    userAgentAppId: '',
  };
}

/** The same of a client of S3, which has more to search for. */
export const s3Settings = () => ({
  ...awsSettings(),
  useArnRegion: false,
  disableMultiregionAccessPoints: true,
  disableS3ExpressSessionAuth: true,
  requestChecksumCalculation: 'WHEN_REQUIRED' as const,
  responseChecksumValidation: 'WHEN_REQUIRED' as const,
});
