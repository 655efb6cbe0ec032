import type { Noun } from '../procedures'

/** The tag of each noun, in the order in which the description lists them. */
export const TAGS: Record<Noun, { name: string; description: string }> = {
  session: {
    name: 'Sign-in',
    description: 'Signing in and out, registering, and your own password',
  },
  sessions: { name: 'Sessions', description: 'Where you are signed in' },
  apiKeys: { name: 'API keys', description: 'Keys by which programs make calls' },
  confirmation: { name: 'Confirmation', description: 'That it is you, before some calls' },
  users: { name: 'Users', description: 'Logins of other users' },
  people: { name: 'People', description: 'Who signs in for a company, and what each may do' },
  recovery: { name: 'New password', description: 'For who has forgotten it, by mail' },
  passkeys: { name: 'Passkeys', description: 'Signing in without a password' },
  secondFactor: {
    name: 'Second factor',
    description: 'The code that signing in with your password takes besides',
  },
  signInRules: {
    name: 'Sign-in rules',
    description: 'What an installation asks of all who sign in',
  },
  personalData: {
    name: 'Your data',
    description: 'What is stored about you, and the deletion of your account',
  },
  invitations: {
    name: 'Invitations',
    description: 'Suppliers and retailers who are invited, and what has become of it',
  },
  suppliers: { name: 'Suppliers', description: 'Companies that publish an inventory file' },
  connections: {
    name: 'Connections',
    description: 'The source of a supplier’s file, its syncs and the published versions',
  },
  receivedFiles: {
    name: 'Files by hand',
    description: 'Files that are sent to a connection, and what became of them',
  },
  uploadLinks: {
    name: 'Upload links',
    description: 'Links by which files are sent to a connection without signing in',
  },
  mailInboxes: {
    name: 'Mail inboxes',
    description: 'Addresses to which files are sent by mail, and whose mails are taken',
  },
  mails: { name: 'Mails', description: 'Mails that came, and what became of them' },
  categories: { name: 'Categories', description: 'The categories of a published file' },
  retailers: { name: 'Retailers', description: 'Stores that download the rows they may see' },
  groups: {
    name: 'Groups',
    description: 'Settings that several retailers have, and who has them',
  },
  cards: { name: 'Card', description: 'What a supplier publishes of itself' },
  directory: {
    name: 'Directory',
    description: 'Suppliers that have published a card, and requests for their files',
  },
  requests: { name: 'Requests', description: 'Requests of retailers that wait for an answer' },
  feedAddresses: {
    name: 'Feed addresses',
    description: 'Addresses from which shops read their files without signing in',
  },
  sftpLogins: {
    name: 'SFTP logins',
    description: 'Logins by which files are put and fetched over SFTP',
  },
  destinations: {
    name: 'Destinations',
    description: 'Where retailers have their files sent to, and what was sent',
  },
  mergedFile: {
    name: 'Merged file',
    description: 'One file of a retailer, made of its files of several suppliers',
  },
  mergedDestinations: {
    name: 'Destinations of the merged file',
    description: 'Where your merged file is sent to, and what was sent',
  },
  profiles: {
    name: 'File formats',
    description: 'The form in which a shop gets its file',
  },
  columnPolicy: {
    name: 'Columns',
    description: 'Which columns retailers see, and what each of them is',
  },
  publishing: {
    name: 'Publishing',
    description: 'The files of a connection, and what holds a new one back',
  },
  differences: {
    name: 'Differences',
    description: 'What differs between two files of a connection',
  },
  itemHistory: {
    name: 'Item history',
    description: 'What an item was over time: its quantity and price, and when it was in the file.',
  },
  timeline: { name: 'Timeline', description: 'What happened to a connection, and its figures' },
  cronJobs: { name: 'Cron jobs', description: 'Jobs that run on a schedule' },
  backups: { name: 'Backups', description: 'Copies of the database and all files' },
  restores: { name: 'Restores', description: 'A backup that replaces all data' },
  audit: { name: 'Audit log', description: 'Who did what, and when' },
  viewings: { name: 'View as', description: 'Seeing the product as another user' },
  operations: { name: 'Operations', description: 'Running syncs, the disk and the workers' },
  system: { name: 'System', description: 'The installation: its state, settings and tests' },
  alerts: { name: 'Alerts', description: 'What you are told of, and how' },
  webhooks: { name: 'Webhooks', description: 'Addresses of yours that are told by requests' },
  live: { name: 'Live changes', description: 'A stream of changes' },
  app: { name: 'This API', description: 'This description, in machine-readable form' },
}
