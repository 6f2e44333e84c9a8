import { askAws, type Call, type Emulator } from './emulator.ts';

/** What an account can hold of a stack of ours: how it is listed, and what each is known by. */
const KINDS: readonly { call: Call; list: string; id: string }[] = [
  { call: ['cloudformation', 'list_exports'], list: 'Exports', id: 'Name' },
  { call: ['dynamodb', 'list_tables'], list: 'TableNames', id: '' },
  { call: ['lambda', 'list_functions'], list: 'Functions', id: 'FunctionName' },
  { call: ['lambda', 'list_event_source_mappings'], list: 'EventSourceMappings', id: 'UUID' },
  { call: ['logs', 'describe_log_groups'], list: 'logGroups', id: 'logGroupName' },
  { call: ['logs', 'describe_metric_filters'], list: 'metricFilters', id: 'filterName' },
  { call: ['apigateway', 'get_rest_apis'], list: 'items', id: 'id' },
  { call: ['apigateway', 'get_usage_plans'], list: 'items', id: 'id' },
  { call: ['apigateway', 'get_api_keys'], list: 'items', id: 'id' },
  { call: ['apigateway', 'get_domain_names'], list: 'items', id: 'domainName' },
  { call: ['iam', 'list_roles'], list: 'Roles', id: 'RoleName' },
  { call: ['iam', 'list_policies', { Scope: 'Local' }], list: 'Policies', id: 'PolicyName' },
  { call: ['cloudwatch', 'describe_alarms'], list: 'MetricAlarms', id: 'AlarmName' },
  { call: ['cloudwatch', 'list_dashboards'], list: 'DashboardEntries', id: 'DashboardName' },
  { call: ['sns', 'list_topics'], list: 'Topics', id: 'TopicArn' },
  { call: ['events', 'list_rules'], list: 'Rules', id: 'Name' },
  { call: ['ssm', 'describe_parameters'], list: 'Parameters', id: 'Name' },
  { call: ['s3', 'list_buckets'], list: 'Buckets', id: 'Name' },
];

/** All that an account holds, in order, as `dynamodb list_tables: name`. */
export async function inventory(emulator: Emulator): Promise<string[]> {
  const answers = await askAws(
    emulator,
    KINDS.map(({ call }) => call),
  );
  return KINDS.flatMap(({ call: [service, operation], list, id }, i) =>
    (answers[i][list] ?? []).map(
      (entry: Record<string, string> | string) =>
        `${service} ${operation}: ${typeof entry === 'string' ? entry : entry[id]}`,
    ),
  ).sort();
}
