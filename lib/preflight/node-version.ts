/** The oldest version of Node that the CDK supports ("Supported Node.js versions for the AWS CDK"). */
const LEAST_NODE = 22;

/**
 * A line if this version of Node is too old to deploy with. No refusal: the CDK still runs on Node 20,
 * with which this project is tested.
 */
export function checkNode({ node: version }: { readonly node: string }): string[] {
  if (Number(version.split('.')[0]) >= LEAST_NODE) return [];
  return [
    `This is Node ${version}. Deploy with Node ${LEAST_NODE} or newer: Node 20 has had no support since April 2026, and no support of the CDK since October. It still works, and so does serving.`,
  ];
}
