import type { CallArea, MemberRole } from '../../../shared/constants'

export type CompanyKind = 'SUPPLIER' | 'RETAILER'

/** What each role is for, in a line. */
export const ROLE_NOTES: Record<MemberRole, string> = {
  OWNER: 'Everything, also the people of the company',
  EDITOR: 'Everything but the company profile and its people',
  VIEWER: 'Sees everything and downloads files, changes nothing',
  BUYER: 'Sees everything, browses and downloads files',
  TECHNICIAN: 'Connects the shop: feed addresses and the file format, no files',
}

interface AreaWords {
  area: CallArea
  text: string
}

/** What a role may include: docs/rules.md#people-of-a-company */
export const AREA_WORDS: Record<CompanyKind, readonly AreaWords[]> = {
  SUPPLIER: [
    { area: 'look', text: 'Look at everything of the company' },
    { area: 'files', text: 'Browse and download files' },
    { area: 'addresses', text: 'Make and end feed addresses, choose the file format' },
    { area: 'manage', text: 'Change the connection, retailers, files and webhooks' },
    { area: 'company', text: 'Change the company profile, invite and remove people' },
  ],
  RETAILER: [
    { area: 'look', text: 'Look at everything of the store' },
    { area: 'files', text: 'Browse and download files' },
    { area: 'addresses', text: 'Make and end feed addresses, choose the file format' },
    { area: 'company', text: 'Change the store, invite and remove people' },
  ],
}
