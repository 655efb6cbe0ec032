import type { Mail, MailInbox } from '../../shared/schemas/mail-inbox'

const now = new Date().toISOString()
export const sampleMailInbox: MailInbox = {
  address: 'stock+abcdefghijklmnop@in.example.com',
  allowedSenders: ['stock@acme.example'],
  createdAt: now,
  lastMailAt: now,
}
export const waitingMail: Mail = {
  id: 7,
  sender: 'anna@agency.example',
  subject: 'Stock of today',
  fileName: 'stock.csv',
  sizeBytes: 2_048,
  otherFiles: 1,
  state: 'waiting',
  reason: 'Its sender is not one of the allowed ones.',
  receivedAt: now,
  receivedFileId: null,
  decidedBy: null,
  waitsUntil: now,
  endedAt: null,
}
