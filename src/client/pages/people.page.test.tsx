import { screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { describe, expect, it } from 'vitest'

import type { MemberRole } from '../../shared/constants'
import type { ApiKey } from '../../shared/schemas/api-key'
import type { Invitation } from '../../shared/schemas/invitation'
import type { Person } from '../../shared/schemas/person'
import type { Session } from '../../shared/schemas/session'
import type { CurrentUser } from '../../shared/schemas/user'
import { adminUser, renderApp, supplierUser, type Answers } from '../testing/render-app'
import { sampleRetailer } from '../testing/sample-records'

const owner: Person = {
  id: 2,
  username: 'northbeck',
  displayName: null,
  role: 'OWNER',
  isActive: true,
  isFirst: true,
  isSelf: true,
  hasSecondFactor: false,
  passkeyCount: 0,
  mailAddress: 'stock@northbeck.example',
  createdAt: '2026-01-01T00:00:00.000Z',
  lastSeenAt: '2026-01-15T08:30:00.000Z',
}
const editor: Person = {
  ...owner,
  id: 7,
  username: 'ed',
  displayName: 'Ed Marsh',
  role: 'EDITOR',
  isFirst: false,
  isSelf: false,
  mailAddress: null,
  lastSeenAt: null,
}
const secondOwner: Person = { ...editor, id: 8, username: 'olga', displayName: null, role: 'OWNER' }
const invitation: Invitation = {
  id: 5,
  kind: 'MEMBER',
  name: 'Vera Lund',
  role: 'VIEWER',
  email: 'vera@northbeck.example',
  state: 'open',
  mailState: 'sent',
  renewedAt: '2026-01-01T00:00:00.000Z',
  expiresAt: '2026-01-08T00:00:00.000Z',
  endedAt: null,
  acceptedBy: null,
}

function openPeople(people: Person[], { answers = {}, user = supplierUser as CurrentUser } = {}) {
  const calls: [string, unknown][] = []
  const counted = (path: string, answer: object = { message: 'Done' }) => ({
    [path]: (input: unknown) => {
      calls.push([path, input])
      return answer
    },
  })
  renderApp('/people', user, {
    'alerts.list': () => ({ notifications: [], unreadCount: 0 }),
    'people.list': () => people,
    'invitations.people': () => ({ invitations: [], openCount: 0, hasMail: true }),
    ...counted('people.setRole'),
    ...counted('people.setActive'),
    ...counted('people.remove'),
    ...counted('people.turnOffSecondFactor'),
    ...counted('invitations.renewPerson', { invitation, path: null }),
    ...counted('invitations.withdrawPerson'),
    ...(answers as Answers),
  })
  return calls
}

async function rowOf(name: string) {
  const table = within(await screen.findByRole('table', { name: 'People', busy: false }))
  return within((await table.findByText(name)).closest('tr') as HTMLElement)
}
const press = async (name: string) => userEvent.click(await screen.findByRole('button', { name }))
const inDialog = async () => within(await screen.findByRole('dialog'))
const as = (role: MemberRole): CurrentUser => ({ ...supplierUser, member: { id: 7, role } })

describe('the people of a company', () => {
  it('are listed with role, last use and address, and whoever looks is marked', async () => {
    openPeople([owner, editor])
    const own = await rowOf('northbeck')
    for (const text of ['You', 'Owner', 'First login', 'stock@northbeck.example']) {
      expect(own.getByText(text)).toBeDefined()
    }
    const other = await rowOf('Ed Marsh')
    for (const text of ['ed', 'Editor', 'Not signed in', 'None confirmed']) {
      expect(other.getByText(text)).toBeDefined()
    }
    expect(other.queryByText('You')).toBeNull()
  })

  it('are one only at first, which is said with what to do', async () => {
    openPeople([owner])
    expect(await screen.findByText('You are the only one who signs in')).toBeDefined()
    expect(screen.getByRole('button', { name: 'Invite a person' })).toBeDefined()
  })

  it('say of the only owner that it stays, and offer nothing that would be refused', async () => {
    openPeople([owner, editor])
    expect(await screen.findByText(/The only owner who can sign in/)).toBeDefined()
    expect(screen.queryByRole('button', { name: 'Remove northbeck' })).toBeNull()
    expect(screen.getByRole('button', { name: 'Remove Ed Marsh' })).toBeDefined()
  })

  it('count only owners who can sign in', async () => {
    openPeople([owner, { ...secondOwner, isActive: false }])
    expect(await screen.findByText(/The only owner who can sign in/)).toBeDefined()
    expect(screen.getByText('No access')).toBeDefined()
  })

  it('can be without the first login when there is another owner, but not be less in it', async () => {
    openPeople([owner, secondOwner])
    expect(await screen.findByRole('button', { name: 'Remove northbeck' })).toBeDefined()
    expect(screen.queryByText(/The only owner/)).toBeNull()
    expect(screen.queryByRole('button', { name: 'Change the role of northbeck' })).toBeNull()
    expect(screen.getByRole('button', { name: 'Change the role of olga' })).toBeDefined()
  })

  it('get another role, each of which is explained', async () => {
    const calls = openPeople([owner, editor])
    await press('Change the role of Ed Marsh')
    const dialog = await inDialog()
    expect(dialog.getAllByRole('radio').map((radio) => radio.ariaLabel)).toEqual([
      'Owner',
      'Editor',
      'Viewer',
    ])
    expect(dialog.getByText('Sees everything and downloads files, changes nothing')).toBeDefined()
    await userEvent.click(dialog.getByRole('radio', { name: 'Viewer' }))
    await userEvent.click(dialog.getByRole('button', { name: 'Change role' }))
    await waitFor(() =>
      expect(calls).toEqual([['people.setRole', { personId: 7, role: 'VIEWER' }]]),
    )
  })

  it('lose their access only after a question, and get it back at once', async () => {
    const calls = openPeople([owner, editor, { ...secondOwner, isActive: false }])
    await press('Give access to olga')
    await waitFor(() =>
      expect(calls).toEqual([['people.setActive', { personId: 8, isActive: true }]]),
    )
    await press('Take access away from Ed Marsh')
    const dialog = await inDialog()
    expect(dialog.getByText(/is signed out at once/)).toBeDefined()
    expect(calls).toHaveLength(1)
    await userEvent.click(dialog.getByRole('button', { name: 'Take access away' }))
    await waitFor(() =>
      expect(calls[1]).toEqual(['people.setActive', { personId: 7, isActive: false }]),
    )
  })

  it('are removed only after a question that says what happens', async () => {
    const calls = openPeople([owner, editor])
    await press('Remove Ed Marsh')
    const dialog = await inDialog()
    expect(dialog.getByText(/signed out at once, and cannot sign in any more/)).toBeDefined()
    expect(dialog.getByText(/feed addresses go on/)).toBeDefined()
    await userEvent.click(dialog.getByRole('button', { name: 'Remove' }))
    await waitFor(() => expect(calls).toEqual([['people.remove', { personId: 7 }]]))
  })

  it('lose passkeys, and those besides a second factor, after a question that says so', async () => {
    const withKeys = { ...editor, passkeyCount: 2 }
    const calls = openPeople([
      owner,
      withKeys,
      { ...withKeys, id: 8, username: 'vera', displayName: null, hasSecondFactor: true },
    ])
    expect(await screen.findAllByText('2 passkeys')).toHaveLength(2)
    await press('Remove the passkeys of Ed Marsh')
    const dialog = within(await screen.findByRole('dialog', { name: 'Remove the passkeys' }))
    expect(dialog.getByText(/if a device with a passkey is lost/)).toBeDefined()
    await userEvent.click(dialog.getByRole('button', { name: 'Remove' }))
    await waitFor(() => expect(calls).toEqual([['people.turnOffSecondFactor', { personId: 7 }]]))
    await press('Turn off the second factor of vera')
    expect(await screen.findByText(/The passkeys go too/)).toBeDefined()
  })

  it('sign out when they remove themselves', async () => {
    let isRemoved = false
    openPeople([owner, secondOwner], {
      answers: {
        'session.current': () => (isRemoved ? null : supplierUser),
        'people.remove': () => {
          isRemoved = true
          return { message: 'Person removed' }
        },
      },
    })
    await press('Remove northbeck')
    const dialog = await inDialog()
    expect(dialog.getByText(/^You are/)).toBeDefined()
    await userEvent.click(dialog.getByRole('button', { name: 'Remove' }))
    expect(await screen.findByRole('button', { name: 'Login' })).toBeDefined()
  })
})

describe('the API keys of people', () => {
  const key: ApiKey = {
    id: 5,
    name: 'Nightly export',
    tokenEnd: 'x7Kq',
    scopes: ['read'],
    connection: null,
    retailer: null,
    networks: [],
    createdAt: '2026-01-01T00:00:00.000Z',
    expiresAt: null,
    lastUsedAt: null,
    program: null,
    address: null,
  }

  it('are shown to owners, who end them after a question; the own ones have a page', async () => {
    const calls: [string, unknown][] = []
    let listed = [key]
    openPeople([owner, editor, { ...secondOwner, isActive: false }], {
      answers: {
        'apiKeys.list': (input: unknown) => {
          calls.push(['list', input])
          return listed
        },
        'apiKeys.end': (input: unknown) => {
          calls.push(['end', input])
          listed = []
          return { message: 'Key ended' }
        },
      },
    })
    await press('API keys of Ed Marsh')
    const dialog = within(await screen.findByRole('dialog', { name: 'API keys of Ed Marsh' }))
    await userEvent.click(await dialog.findByRole('button', { name: 'End Nightly export' }))
    const question = within(await screen.findByRole('dialog', { name: 'End the key' }))
    await userEvent.click(question.getByRole('button', { name: 'End the key' }))
    expect(await dialog.findByText('No keys')).toBeDefined()
    expect(calls.filter(([what]) => what === 'end')).toEqual([['end', { id: 5, personId: 7 }]])
    expect(calls[0]).toEqual(['list', { personId: 7 }])
    expect(screen.queryByRole('button', { name: 'API keys of northbeck' })).toBeNull()
    expect(screen.queryByRole('button', { name: 'API keys of olga' })).toBeNull()
  })

  it('are not offered to whoever is no owner', async () => {
    openPeople([{ ...owner, isSelf: false }, editor], { user: as('EDITOR') })
    await rowOf('Ed Marsh')
    expect(screen.queryByRole('button', { name: /^API keys of/ })).toBeNull()
  })
})

describe('who is invited to a company', () => {
  const answers = {
    'invitations.people': () => ({ invitations: [invitation], openCount: 0, hasMail: true }),
  }

  it('is listed with the role, and is sent again and withdrawn by the calls of owners', async () => {
    const calls = openPeople([owner], { answers })
    const table = within(await screen.findByRole('table', { name: 'Invitations', busy: false }))
    expect(table.getByText('Viewer')).toBeDefined()
    await press('Send again the invitation of Vera Lund')
    await press('Withdraw the invitation of Vera Lund')
    await userEvent.click((await inDialog()).getByRole('button', { name: 'Withdraw' }))
    await waitFor(() =>
      expect(calls).toEqual([
        ['invitations.renewPerson', { id: 5, isMailed: true }],
        ['invitations.withdrawPerson', { id: 5 }],
      ]),
    )
  })

  it('gets a link with a name and a role', async () => {
    const sent: unknown[] = []
    openPeople([owner], {
      answers: {
        'invitations.invitePerson': (input: unknown) => {
          sent.push(input)
          return { invitation, path: '/invitation#token=abc' }
        },
      },
    })
    await press('Invite a person')
    const dialog = within(await screen.findByRole('dialog', { name: 'Invite a person' }))
    await userEvent.type(await dialog.findByRole('textbox', { name: 'Name' }), 'Vera Lund')
    await userEvent.click(dialog.getByText('Copy a link'))
    await userEvent.click(dialog.getByRole('radio', { name: 'Viewer' }))
    await userEvent.click(dialog.getByRole('button', { name: 'Create link' }))
    expect(await screen.findByText('https://stock.example/invitation#token=abc')).toBeDefined()
    expect(sent).toEqual([{ name: 'Vera Lund', email: null, role: 'VIEWER' }])
  })
})

describe('whoever is no owner', () => {
  it('sees the people and what the own role includes, and asks for no invitations', async () => {
    const asked: unknown[] = []
    openPeople(
      [
        { ...owner, isSelf: false },
        { ...editor, isSelf: true },
      ],
      {
        user: as('EDITOR'),
        answers: { 'invitations.people': (input: unknown) => asked.push(input) },
      },
    )
    expect(await screen.findByRole('heading', { name: 'Your role: Editor' })).toBeDefined()
    const items = within(screen.getByRole('list', { name: 'What your role includes' }))
    expect(items.getAllByRole('listitem').map(({ textContent }) => textContent)).toEqual([
      'Included: Look at everything of the company',
      'Included: Browse and download files',
      'Included: Make and end feed addresses, choose the file format',
      'Included: Change the connection, retailers, files and webhooks',
      'Not included: Change the company profile, invite and remove people',
    ])
    await screen.findByText('Ed Marsh')
    expect(screen.queryByRole('button', { name: /Invite|Remove|Change the role/ })).toBeNull()
    expect(screen.queryByText(/The only owner/)).toBeNull()
    expect(asked).toEqual([])
  })
})

describe('an administrator', () => {
  const page = { rows: [sampleRetailer], matchCount: 1, totalCount: 1, page: 1, pageCount: 1 }

  function openSupplier(people: Person[] | Promise<Person[]>, answers: Answers = {}) {
    const viewed: unknown[] = []
    const asked: unknown[] = []
    renderApp('/dashboard/super-admin/suppliers/2', adminUser, {
      'suppliers.get': () => ({
        deletionAt: null,
        ...supplierUser,
        retailerCount: 1,
        publishedAt: null,
        connection: null,
        pausedDestinationCount: 0,
        pausedDestinations: [],
      }),
      'suppliers.retailers': () => page,
      'users.username': () => ({ id: 101, username: 'store-1' }),
      'people.list': async (input: unknown) => {
        asked.push(input)
        return (await people).map((person) => ({ ...person, isSelf: false }))
      },
      'invitations.people': () => ({ invitations: [], openCount: 0, hasMail: true }),
      'viewings.begin': (input: unknown) => {
        viewed.push(input)
        return { message: 'Viewing' }
      },
      ...answers,
    })
    return { viewed, asked }
  }

  it('sees the people of a supplier on its page, and changes them', async () => {
    const { asked } = openSupplier([owner, editor])
    expect(await screen.findByRole('button', { name: 'Change the role of Ed Marsh' })).toBeDefined()
    expect(asked).toEqual([{ companyId: 2 }])
  })

  it('views the product as the owner where nobody else signs in', async () => {
    const { viewed } = openSupplier([owner])
    await screen.findByText('Nobody else signs in for this company')
    await press('View as')
    await waitFor(() => expect(viewed).toEqual([{ userId: 2 }]))
  })

  it('goes on when the people are known, if it was pressed before', async () => {
    const people = Promise.withResolvers<Person[]>()
    const { viewed } = openSupplier(people.promise)
    await press('View as')
    expect(viewed).toEqual([])
    people.resolve([owner])
    await waitFor(() => expect(viewed).toEqual([{ userId: 2 }]))
  })

  it('chooses as whom to view the product where several sign in, an owner first', async () => {
    const { viewed } = openSupplier([editor, owner, { ...secondOwner, isActive: false }])
    await screen.findByRole('button', { name: 'View as Ed Marsh' })
    await press('View as')
    const items = await screen.findAllByRole('menuitem')
    expect(items.map(({ textContent }) => textContent)).toEqual([
      'northbeck, owner',
      'Ed Marsh, editor',
    ])
    await userEvent.click(items[1]!)
    await waitFor(() => expect(viewed).toEqual([{ userId: 7 }]))
  })

  it('sees where a person is signed in, and ends that, one or all after a question', async () => {
    const calls: [string, unknown][] = []
    const session: Session = {
      id: 'a',
      program: 'Firefox on Windows',
      address: '203.0.113.9',
      since: '2026-01-15T08:00:00.000Z',
      lastUsedAt: '2026-01-15T08:30:00.000Z',
      isPresent: false,
    }
    let listed = [session, { ...session, id: 'b', program: 'curl' }]
    openSupplier([owner, editor], {
      'sessions.list': (input: unknown) => {
        calls.push(['list', input])
        return listed
      },
      'sessions.end': (input: unknown) => {
        calls.push(['end', input])
        listed = listed.slice(0, 1)
        return { message: 'Signed out there' }
      },
      'sessions.endOthers': (input: unknown) => {
        calls.push(['endOthers', input])
        listed = []
        return { message: 'Signed out everywhere else' }
      },
    })
    await press('Sessions of Ed Marsh')
    expect(await screen.findByRole('dialog', { name: 'Sessions of Ed Marsh' })).toBeDefined()
    await press('Sign out of curl')
    await waitFor(() => expect(screen.queryByText('curl')).toBeNull())
    await press('End all')
    const question = within(await screen.findByRole('dialog', { name: 'End all sessions' }))
    await userEvent.click(question.getByRole('button', { name: 'End all' }))
    expect(await screen.findByText('Not signed in anywhere')).toBeDefined()
    expect(calls.filter(([what]) => what !== 'list')).toEqual([
      ['end', { session: 'b', personId: 7 }],
      ['endOthers', { personId: 7 }],
    ])
    expect(calls).toContainEqual(['list', { personId: 7 }])
  })

  it('finds the people of a retailer from the list of retailers', async () => {
    const { asked } = openSupplier([owner])
    await press('People of Store 1')
    expect(await screen.findByRole('heading', { name: 'People of store-1' })).toBeDefined()
    await waitFor(() => expect(asked).toContainEqual({ companyId: 101 }))
  })

  it('has no people of its own', async () => {
    openPeople([], { user: adminUser })
    expect(await screen.findByText('You cannot open this page')).toBeDefined()
  })
})
