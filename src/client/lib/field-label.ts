const FIELDS: Record<string, string> = {
  url: 'Address of the source',
  urlQuery: 'Query of the address',
  access: 'Access',
  accessName: 'Name for access',
  region: 'Region of the bucket',
  endpoint: 'Endpoint of the bucket',
  secret: 'Secret',
  serverKeys: 'Keys of the server',
  usesTls: 'TLS',
  allowsOld: 'Old encryption',
  afterReading: 'After publishing',
  'overlay.url': 'Second address',
  'overlay.access': 'Access to the second address',
  'overlay.accessName': 'Name for access to the second address',
  'overlay.region': 'Region of the second bucket',
  'overlay.endpoint': 'Endpoint of the second bucket',
  'overlay.secret': 'Secret of the second address',
  expectedEveryHours: 'Hours until a file is late',
  storeUrl: 'Store URL',
  isActive: 'Active',
}

/** The name of a field in words: `Columns, stock texts` for `columns.stockTexts`. */
export function labelField(field: string): string {
  const words = field
    .replaceAll('.', ', ')
    .replaceAll(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`)
  return FIELDS[field] ?? words.charAt(0).toUpperCase() + words.slice(1)
}
