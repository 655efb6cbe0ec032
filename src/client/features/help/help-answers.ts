import type { LinkProps } from '@tanstack/react-router'

import type { Role } from '../../../shared/constants'

export interface HelpAnswer {
  question: string
  answer: string
  /** Where it is done. */
  link?: { label: string; to: NonNullable<LinkProps['to']> }
}

const EVERYBODYS: HelpAnswer[] = [
  {
    question: 'How do I find something?',
    answer:
      'Press Ctrl+K (⌘K on a Mac), or use the field at the top, and type at least two characters of a name, a number or an action.',
  },
  {
    question: 'How am I told when something happens?',
    answer:
      'The bell lists what you have chosen to be told of. The same can be sent by e-mail, if this installation sends any.',
    link: { label: 'Alerts', to: '/alerts' },
  },
]

const CHANGES: HelpAnswer = {
  question: 'Can I be told what has changed in the items?',
  answer:
    'Once a day or a week by e-mail: new and gone items, what is sold out or back, and changed prices, with examples. Only if there is something.',
  link: { label: 'Alerts', to: '/alerts' },
}

/** docs/privacy.md has all of it. */
const aboutData = (to: NonNullable<LinkProps['to']>): HelpAnswer => ({
  question: 'What is stored about me, and for how long?',
  answer:
    'Your account, for 90 days where you signed in from and what you were told, and for a year what you did. You can download all of it, and delete your account. Backups have forgotten it four weeks later.',
  link: { label: 'Settings', to },
})

const COLLEAGUES: HelpAnswer = {
  question: 'Can colleagues sign in too?',
  answer:
    'Owners invite them, each with a role and a password of their own, and can remove them again. Everybody sees there what the own role includes.',
  link: { label: 'People', to: '/people' },
}

const SCRIPTS: HelpAnswer = {
  question: 'Can my own programs do this?',
  answer: 'Everything on these screens is a call that a script can make, described with examples.',
  link: { label: 'API', to: '/api-docs' },
}

/** Short answers to what each role asks first; what they say is on the screens that they link to. */
export const HELP_ANSWERS: Record<Role, HelpAnswer[]> = {
  SUPER_ADMIN: [
    {
      question: 'How does a supplier start?',
      answer:
        'Add it with a user name and a password, and send it both. It signs in, connects its inventory file and adds its retailers itself.',
      link: { label: 'Dashboard', to: '/dashboard/super-admin' },
    },
    {
      question: 'Why is a feed late or held?',
      answer:
        'The dashboard lists every connection that needs somebody, with the reason. A held file waits for its supplier, who compares it and publishes or discards it; until then shops get the file before it.',
      link: { label: 'Dashboard', to: '/dashboard/super-admin' },
    },
    {
      question: 'What is running now?',
      answer:
        'Running and waiting syncs of all suppliers are listed with their progress, and can be cancelled.',
      link: { label: 'Operations', to: '/dashboard/super-admin/operations' },
    },
    {
      question: 'Is there a backup?',
      answer:
        'Each backup is listed once it has been read back. It can be started, tested and downloaded, and its history shows what failed.',
      link: { label: 'Cron Jobs', to: '/dashboard/super-admin/cron-jobs' },
    },
    {
      question: 'Who changed this?',
      answer:
        'Every change and sign-in is kept for a year, with who made it, and can be filtered and exported.',
      link: { label: 'Audit Log', to: '/audit' },
    },
    ...EVERYBODYS,
    aboutData('/dashboard/super-admin/settings'),
    SCRIPTS,
  ],
  SUPPLIER: [
    {
      question: 'How do I send my file?',
      answer:
        'Enter the address of your inventory file, or send the file itself: CSV, Excel or ZIP. The preview shows how it is read before anything is published.',
      link: { label: 'Connections', to: '/supplier/connections' },
    },
    {
      question: 'Why is my new file held?',
      answer:
        'It has far fewer rows, quantities or items than the published one, or lacks a column. Your shops keep the file before it until you compare the two, and publish or discard the new one.',
      link: { label: 'Connections', to: '/supplier/connections' },
    },
    {
      question: 'How does a shop get my stock?',
      answer:
        'Add it as a retailer and choose the rows that it may see. It gets a login, and an address from which its shop reads its file by itself.',
      link: { label: 'Retailers', to: '/supplier/retailers' },
    },
    {
      question: 'Does a shop read its file?',
      answer:
        'The list of retailers tells when each has last read, and which are behind or silent. The page of a retailer lists its reads.',
      link: { label: 'Retailers', to: '/supplier/retailers' },
    },
    {
      question: 'What do my shops see?',
      answer:
        'The published file, row by row, with a search. A retailer’s preview shows it as that shop gets it.',
      link: { label: 'Inventory Preview', to: '/supplier/inventory' },
    },
    CHANGES,
    COLLEAGUES,
    ...EVERYBODYS,
    aboutData('/supplier/settings'),
    SCRIPTS,
  ],
  RETAILER: [
    {
      question: 'How does my shop get the stock?',
      answer:
        'Create a feed address, and enter it in your shop’s importer. The shop then reads the newest file by itself. Whoever knows the address can read the file, so keep it secret.',
      link: { label: 'Dashboard', to: '/retailer' },
    },
    {
      question: 'My system cannot fetch a file. Can it be sent?',
      answer:
        'Under “Send my file”: to a folder at an SFTP or FTP server or in a bucket, to a web address, or by e-mail; at each new file or at times that you choose. A test shows whether it works.',
      link: { label: 'Connect your shop', to: '/retailer/shop' },
    },
    {
      question: 'How new is my file?',
      answer:
        '“Data as of” is when the stock was last known to be what your supplier has. How often your file changes is set by your supplier. When it is late, your supplier’s data have not come in time: your shop keeps the file that it has, and your supplier can say why.',
      link: { label: 'Dashboard', to: '/retailer' },
    },
    {
      question: 'Is an item in my file?',
      answer: 'Browse all rows that you may see, and search in them.',
      link: { label: 'Inventory Preview', to: '/retailer/inventory' },
    },
    {
      question: 'Something in the file is wrong. Whom do I ask?',
      answer:
        'Your supplier decides what is in it. Its contact is on your dashboard, if it has given one.',
      link: { label: 'Dashboard', to: '/retailer' },
    },
    CHANGES,
    COLLEAGUES,
    ...EVERYBODYS,
    aboutData('/retailer/settings'),
    SCRIPTS,
  ],
}
