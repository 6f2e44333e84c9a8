import { SLACK_PATH } from './slack-routes.ts';

/**
 * The manifest of a Slack app: one slash command, and the one scope that it needs. `root` is the
 * service's address.
 */
export function slackManifest(root: string) {
  return {
    display_information: {
      name: 'blockyard',
      description: 'Look things up in published data, from any conversation.',
    },
    features: {
      slash_commands: [
        {
          command: '/block',
          url: `${root.replace(/\/$/, '')}${SLACK_PATH}`,
          description: 'Look something up; /block help says what there is.',
          usage_hint: 'help, or: block text name:value number:400..500',
          should_escape: false,
        },
      ],
    },
    oauth_config: { scopes: { bot: ['commands'] } },
    settings: {
      org_deploy_enabled: false,
      socket_mode_enabled: false,
      token_rotation_enabled: false,
    },
  };
}

/** The manifest as a file, with a placeholder that users replace with their service's address. */
export const slackManifestFile = {
  path: 'docs/slack-manifest.json',
  text: () => {
    const text = JSON.stringify(slackManifest('https://blockyard.example'), null, 2);
    // Write short lists as the checkout's formatter does.
    return `${text.replace(/\[\s+("\w+")\s+\]/g, '[$1]')}\n`;
  },
};
