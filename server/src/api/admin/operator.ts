import type { OperatorScope } from '../../model/operators.ts'

/** The properties of every endpoint of the operator API. GET needs `read`, changes of accounts need `support`. */
export const operator = (operatorScope: OperatorScope) =>
  ({ access: 'operator', cost: { credits: 0 }, operatorScope }) as const
