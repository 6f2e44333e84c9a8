import { CfnBudget } from 'aws-cdk-lib/aws-budgets';
import { Construct } from 'constructs';

export type AccountBudgetProps = {
  /** What the account may cost in a month, in USD. */
  readonly budget: number;
  /** Who is written to; AWS asks for no confirmation. */
  readonly email: string;
};

/**
 * A budget on what the whole account costs in a month, with mails as it is used up. It stops
 * nothing. AWS makes its name: a budget with new mails is another one, made before the old one goes,
 * and two of an account may not have the same name.
 */
export class AccountBudget extends Construct {
  constructor(scope: Construct, id: string, { budget, email }: AccountBudgetProps) {
    super(scope, id);
    new CfnBudget(this, 'Budget', {
      budget: {
        budgetType: 'COST',
        timeUnit: 'MONTHLY',
        budgetLimit: { amount: budget, unit: 'USD' },
      },
      // AWS takes five.
      notificationsWithSubscribers: MAILS.map(({ notificationType, threshold }) => ({
        notification: {
          notificationType,
          comparisonOperator: 'GREATER_THAN',
          threshold,
          thresholdType: 'PERCENTAGE',
        },
        subscribers: [{ subscriptionType: 'EMAIL', address: email }],
      })),
    });
  }
}

/** In percent of the budget; the forecast is that for the month's end. */
const MAILS = [
  { notificationType: 'ACTUAL', threshold: 80 },
  { notificationType: 'ACTUAL', threshold: 100 },
  { notificationType: 'FORECASTED', threshold: 100 },
] as const;
