import { GetSecretValueCommand, SecretsManagerClient } from '@aws-sdk/client-secrets-manager';
import { GetParameterCommand, SSMClient } from '@aws-sdk/client-ssm';
import { awsSettings } from './aws-settings.ts';

const settings = () => ({
  ...awsSettings(),
  maxAttempts: 2,
  requestHandler: { connectionTimeout: 500, requestTimeout: 800, throwOnRequestTimeout: true },
});

/**
 * Fetches a secret: a SecureString parameter of SSM by its name, or a secret of Secrets Manager by
 * its ARN.
 */
export function secretFetcher(name: string): () => Promise<string> {
  return name.startsWith('arn:') ? fetchSecret(name) : fetchParameter(name);
}

function fetchParameter(name: string): () => Promise<string> {
  const client = new SSMClient(settings());
  return async () => {
    const command = new GetParameterCommand({ Name: name, WithDecryption: true });
    const { Parameter: parameter } = await client.send(command);
    if (parameter?.Type === 'SecureString') return parameter.Value ?? '';
    throw new Error(`${name} is not a SecureString.`);
  };
}

function fetchSecret(arn: string): () => Promise<string> {
  const client = new SecretsManagerClient(settings());
  return async () => {
    const { SecretString: text } = await client.send(new GetSecretValueCommand({ SecretId: arn }));
    return text ?? '';
  };
}
