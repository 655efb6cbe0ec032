import { DEFAULT_PAGE_SIZE, SHOWN_RUN_HOURS, type Role } from '../../../shared/constants'
import type { InputOf, ProcedurePath } from '../../api/procedures'

export type Call = { path: ProcedurePath; input?: unknown }

/** A call whose input is checked against its procedure. */
export const call = <Path extends ProcedurePath>(
  path: Path,
  ...[input]: [InputOf<Path>?]
): Call => ({ path, ...(input !== undefined && { input }) })

/** A list as it is shown without a search. */
const WHOLE_LIST = { q: '', page: 1, size: DEFAULT_PAGE_SIZE } as const

export type FirstCalls = {
  calls: Call[]
  /** For the first object, or the only one, that the first of these calls returns. */
  ofFirst?: (id: number) => Call[]
}

type Page = Omit<FirstCalls, 'calls'> & {
  /** With `$id` for the number in it. */
  path: string
  calls: (id: number) => Call[]
  /** What is shown in a list as the query of the address says. */
  listed?: Call['path']
}

const ACCOUNT: Page[] = [
  { path: '/sessions', calls: () => [call('sessions.list', {})] },
  { path: '/api-keys', calls: () => [call('apiKeys.list', {})] },
]

const SECURITY = [call('secondFactor.get'), call('passkeys.list')]

/** What the pages of each role show first. */
const PAGES: Record<Role, Page[]> = {
  SUPER_ADMIN: [
    ...ACCOUNT,
    ...['/', '/dashboard/super-admin'].map((path) => ({
      path,
      calls: () => [
        call('operations.troubles'),
        call('operations.overview'),
        call('operations.storage'),
        call('suppliers.page', WHOLE_LIST),
        call('invitations.list', {}),
      ],
      listed: 'suppliers.page' as const,
    })),
    {
      path: '/dashboard/super-admin/operations',
      calls: () => [
        call('operations.syncs'),
        call('operations.runHours', { hours: SHOWN_RUN_HOURS }),
        call('operations.overview'),
      ],
    },
    {
      path: '/dashboard/super-admin/system',
      calls: () => [call('system.state'), call('system.settings')],
    },
    { path: '/dashboard/super-admin/cron-jobs', calls: () => [call('cronJobs.list')] },
    {
      path: '/dashboard/super-admin/suppliers/$id',
      calls: (id) => [
        call('suppliers.get', { id }),
        call('suppliers.retailers', { id, ...WHOLE_LIST }),
        call('people.list', { companyId: id }),
        call('invitations.people', { companyId: id }),
      ],
      listed: 'suppliers.retailers',
    },
    {
      path: '/dashboard/super-admin/settings',
      calls: () => [call('signInRules.get'), ...SECURITY],
    },
    { path: '/alerts', calls: () => [call('alerts.choices'), call('webhooks.list')] },
  ],
  SUPPLIER: [
    ...ACCOUNT,
    {
      path: '/supplier',
      calls: () => [
        call('connections.list'),
        call('retailers.page', WHOLE_LIST),
        call('retailers.readers'),
      ],
      ofFirst: (id) => [
        call('connections.runs', { id }),
        call('publishing.versions', { id }),
        call('timeline.figures', { id }),
      ],
    },
    // The list does not wait for the rows of each to be counted.
    {
      path: '/supplier/retailers',
      calls: () => [call('retailers.page', WHOLE_LIST), call('groups.list'), call('requests.list')],
      listed: 'retailers.page',
    },
    { path: '/supplier/groups', calls: () => [call('groups.list')] },
    { path: '/supplier/card', calls: () => [call('cards.get'), call('connections.list')] },
    {
      path: '/supplier/retailers/$id',
      calls: (id) => [
        call('connections.list'),
        call('retailers.get', { id }),
        call('retailers.usage', { ids: [id] }),
        call('groups.ofRetailer', { id }),
        call('retailers.prices', { id }),
      ],
      ofFirst: (id) => [call('categories.overview', { id })],
    },
    {
      path: '/supplier/retailers/$id/preview',
      calls: (id) => [call('retailers.get', { id }), call('retailers.inventory', { id })],
    },
    {
      path: '/supplier/retailers/$id/shop',
      calls: (id) => [call('retailers.get', { id }), ...ofShop(id), call('connections.list')],
    },
    {
      path: '/supplier/connections',
      calls: () => [call('connections.list')],
      ofFirst: (id) => [
        call('connections.runs', { id }),
        call('connections.findings', { id }),
        call('publishing.versions', { id }),
        call('publishing.guard', { id }),
        call('columnPolicy.get', { id }),
        call('sftpLogins.ofConnection', { id }),
        call('mailInboxes.get', { id }),
        call('mails.list', { id }),
      ],
    },
    {
      path: '/supplier/connections/$id/history',
      calls: (id) => [
        call('connections.list'),
        call('publishing.versions', { id }),
        call('timeline.figures', { id }),
      ],
    },
    {
      path: '/supplier/connections/$id/comparison',
      calls: (id) => [call('connections.list'), call('publishing.versions', { id })],
    },
    {
      path: '/supplier/connections/$id/items',
      calls: () => [call('connections.list')],
    },
    {
      path: '/supplier/inventory',
      calls: () => [call('connections.list')],
      ofFirst: (id) => [call('connections.inventory', { id })],
    },
    { path: '/supplier/settings', calls: () => [call('suppliers.profile'), ...SECURITY] },
    { path: '/alerts', calls: () => [call('alerts.choices'), call('webhooks.list')] },
    { path: '/people', calls: () => [call('people.list', {})] },
  ],
  RETAILER: [
    ...ACCOUNT,
    {
      path: '/retailer',
      calls: () => [call('retailers.own'), call('retailers.supplier')],
      ofFirst: (id) => [
        call('retailers.latestFile', { id }),
        call('retailers.changes', { id }),
        call('retailers.rowCounts', { id }),
        call('feedAddresses.list', { id }),
        call('retailers.downloads', { id }),
      ],
    },
    {
      path: '/retailer/inventory',
      calls: () => [call('retailers.own')],
      ofFirst: (id) => [call('retailers.inventory', { id })],
    },
    { path: '/retailer/items', calls: () => [call('retailers.own')] },
    { path: '/retailer/settings', calls: () => [call('retailers.own'), ...SECURITY] },
    { path: '/retailer/shop', calls: () => [call('retailers.own')], ofFirst: ofShop },
    {
      path: '/retailer/merged-file',
      calls: () => [call('retailers.own'), call('mergedFile.get')],
    },
    { path: '/alerts', calls: () => [call('alerts.choices')] },
    { path: '/people', calls: () => [call('people.list', {})] },
  ],
}

function ofShop(id: number): Call[] {
  return [
    call('feedAddresses.list', { id }),
    call('profiles.get', { id }),
    call('destinations.list', { id }),
    call('retailers.usage', { ids: [id] }),
    call('retailers.downloads', { id }),
    call('retailers.latestFile', { id }),
  ]
}

/** The calls that the page at an address makes first, for somebody of this role. */
export function findFirstCalls(role: Role, address: string): FirstCalls {
  const [path = '', query = ''] = address.split('?')
  const relation = role === 'RETAILER' ? readRelation(query) : undefined
  for (const { path: pattern, calls, listed, ...more } of PAGES[role]) {
    const id = readId(pattern, path)
    if (id === undefined) continue
    // The page asks for another part of the list.
    const shown = calls(id).filter((one) => query === '' || one.path !== listed)
    return { ...more, calls: shown.map((one) => ofRelation(one, relation)) }
  }
  return { calls: [] }
}

/** Which of its suppliers a retailer's page is about, as `client/session/relation` writes it. */
function readRelation(query: string): number | undefined {
  const [, id] = /(?:^|&)relation=([1-9]\d{0,14})(?:&|$)/.exec(query) ?? []
  return id === undefined ? undefined : Number(id)
}

const ofRelation = (one: Call, id: number | undefined): Call =>
  id !== undefined && (one.path === 'retailers.own' || one.path === 'retailers.supplier')
    ? { ...one, input: { id } }
    : one

/** The number in a path, 0 in one without; undefined: it is not like the pattern. */
function readId(pattern: string, path: string): number | undefined {
  const [start = '', end] = pattern.split('$id')
  if (end === undefined) return path === pattern ? 0 : undefined
  const number = path.slice(start.length, path.length - end.length)
  const isLike = path === start + number + end && /^[1-9]\d{0,14}$/.test(number)
  return isLike ? Number(number) : undefined
}
