/** Which connections of which suppliers they are. */
export const PLACE = [
  'connections.id as connectionId',
  'connections.name as connectionName',
  'users.id as supplierId',
  'users.companyName',
  'users.username',
] as const
