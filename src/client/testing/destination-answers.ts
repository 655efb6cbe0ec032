import type { Destination, DestinationList, Dispatch } from '../../shared/schemas/destination'
import { DEFAULT_TRANSFER } from '../../shared/schemas/transfer'

const ago = (minutes: number) => new Date(Date.now() - minutes * 60_000).toISOString()

export const sampleDestination: Destination = {
  id: 7,
  name: 'ERP',
  kind: 'sftp',
  config: {
    url: 'sftp://erp.example/in/',
    auth: { type: 'basic', username: 'summit', password: '••••••' },
    transfer: { ...DEFAULT_TRANSFER, hostKeys: [] },
  },
  recipients: [],
  method: null,
  fileName: 'inventory.csv',
  profile: null,
  times: [],
  onlyIfChanged: true,
  isActive: true,
  state: 'ok',
  reason: null,
  pausedAt: null,
  sentAt: ago(3),
  sentRows: 1_204,
  nextAt: null,
  createdAt: ago(600),
}

export const sampleDestinations = (
  destinations: Destination[],
  changes: Partial<DestinationList> = {},
): DestinationList => ({
  destinations,
  timeZone: 'UTC',
  people: [
    { id: 11, name: 'ann', address: 'ann@summit.example' },
    { id: 12, name: 'bob', address: null },
  ],
  hasMail: true,
  hasDispatches: destinations.length > 0,
  ...changes,
})

export const sampleDispatch: Dispatch = {
  id: 1,
  destinationId: 7,
  destinationName: 'ERP',
  kind: 'sftp',
  versionName: '9.csv',
  fileName: 'inventory.csv',
  status: 'sent',
  attempts: 1,
  isRepeat: false,
  sizeBytes: 20_480,
  rowCount: 1_204,
  sha256: 'a'.repeat(64),
  createdAt: ago(4),
  startedAt: ago(3.2),
  endedAt: ago(3),
  nextAttemptAt: null,
  answer: 'Written as inventory.csv',
}

export const dispatchPage = (rows: Dispatch[]) => ({
  rows,
  matchCount: rows.length,
  totalCount: rows.length,
  page: 1,
  pageCount: 1,
})
