import { SLACK_PATH } from './slack-routes.ts';

/**
 * What an app of Slack is made from: one slash command, and the one scope that it needs. `root` is
 * the address of the service.
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

/** For an address that is not known here: whoever makes the app puts theirs in its place. */
export const slackManifestFile = {
  path: 'docs/slack-manifest.json',
  text: () => {
    const text = JSON.stringify(slackManifest('https://blockyard.example'), null, 2);
    // As the formatter of the checkout writes a short list.
    return `${text.replace(/\[\s+("\w+")\s+\]/g, '[$1]')}\n`;
  },
};
