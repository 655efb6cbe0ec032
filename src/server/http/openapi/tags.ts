import type { Noun } from '../../trpc/procedures'

/** What the tag of each noun is called, and what is said of it, in the order of reading. */
export const TAGS: Record<Noun, { name: string; description: string }> = {
  session: {
    name: 'Sign-in',
    description: 'Signing in and out, registering, and your own password',
  },
  users: { name: 'Users', description: 'The logins of others' },
  suppliers: { name: 'Suppliers', description: 'Companies that publish an inventory file' },
  connections: {
    name: 'Connections',
    description: 'Where a supplier’s file comes from, its syncs and what they published',
  },
  categories: { name: 'Categories', description: 'The categories of a published file' },
  retailers: { name: 'Retailers', description: 'Stores that download the rows they may see' },
  cronJobs: { name: 'Cron jobs', description: 'What the product does by itself' },
  backups: { name: 'Backups', description: 'Copies of the database and of all files' },
  live: { name: 'Live changes', description: 'What changes while you watch' },
  app: { name: 'This API', description: 'Its description, for programs' },
}
