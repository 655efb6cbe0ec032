import { screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { describe, expect, it } from 'vitest'

import { CHANGE_KINDS } from '../../shared/constants'
import {
  type ChangedItem,
  type ChangedItemsInput,
  type ChangeSection,
} from '../../shared/schemas/comparison'
import { Refusal, renderApp, supplierUser, type Answers } from '../testing/render-app'
import { sampleConnection, sampleVersion } from '../testing/sample-records'

const PATH = '/supplier/connections/1/comparison'
const held = sampleVersion(3, {
  state: 'held',
  rowCount: 20,
  holdReasons: ['It has 20 rows; the published file has 40 (−50 %).'],
  holdFacts: [{ rule: 'rows', before: 40, after: 20 }],
})
const versions = [held, sampleVersion(2, { state: 'current', rowCount: 40 }), sampleVersion(1)]

const item = (key: string, changes: Partial<ChangedItem> = {}): ChangedItem => ({
  key,
  kinds: ['quantity'],
  cells: [{ column: 'stock', before: '12', after: '0' }],
  moreCells: 0,
  same: [{ column: 'name', text: 'Trail Boot' }],
  ...changes,
})
const sections: ChangeSection[] = CHANGE_KINDS.map((kind) => ({ kind, count: 0, items: [] }))
const withSection = (...found: ChangeSection[]) =>
  sections.map((section) => found.find(({ kind }) => kind === section.kind) ?? section)

const gone = item('G-1', {
  kinds: ['removed'],
  cells: [{ column: 'stock', before: '7', after: null }],
  same: [],
})
const counts = { before: 40, after: 20, added: 0, removed: 21, changed: 1, unchanged: 19 }
const found = {
  difference: {
    ...counts,
    keyColumn: 'sku',
    quantityUp: 0,
    quantityDown: 1,
    newlyZero: 1,
    examples: [],
  },
  columns: { added: ['ean'], removed: [], changed: [], comparedRows: 1, isWhole: true },
  sections: withSection(
    { kind: 'removed', count: 21, items: [gone] },
    { kind: 'quantity', count: 1, items: [item('Q-1')] },
  ),
}

function renderComparison(path = PATH, answers: Answers = {}) {
  const compared: object[] = []
  const listed: ChangedItemsInput[] = []
  const app = renderApp(path, supplierUser, {
    'connections.list': () => [{ ...sampleConnection, name: 'Outdoor' }],
    'publishing.versions': () => ({ versions, kept: { versions: 30, days: 90 }, maxPinned: 10 }),
    'differences.compare': (input: object) => {
      compared.push(input)
      return { found, obstacle: null }
    },
    'differences.items': (input: ChangedItemsInput) => {
      listed.push(input)
      return { items: [item('Q-1')], rowsRead: 22, rowCount: 22, nextCursor: null }
    },
    ...answers,
  })
  return { ...app, compared, listed }
}

describe('the comparison of two files', () => {
  it('begins with why the file is held, and what can be decided, and has a section for each kind of change', async () => {
    const { compared } = renderComparison()
    expect(
      await screen.findByRole('heading', { name: 'What Has Changed in Outdoor' }),
    ).toBeDefined()
    const reason = await screen.findByRole('region', { name: 'A new file is held' })
    expect(within(reason).getByRole('button', { name: 'Discard' })).toBeDefined()
    expect(within(reason).getByRole('button', { name: 'Publish anyway' })).toBeDefined()
    expect(within(reason).queryByRole('link', { name: 'Compare with published' })).toBeNull()
    const quantity = await screen.findByRole('region', { name: 'Quantity changed' })
    expect(quantity.textContent).toContain('0 up, 1 down, of which 1 item to 0')
    const row = within(quantity).getByRole('row', { name: /Q-1/ })
    expect(row.querySelector('del')?.textContent).toBe('12')
    expect(row.querySelector('ins')?.textContent).toBe('0')
    expect(row.textContent).toContain('Trail Boot')
    const goneItems = screen.getByRole('region', { name: 'Gone items' })
    expect(goneItems.textContent).toContain('stock7')
    expect(screen.queryByRole('region', { name: 'New items' })).toBeNull()
    expect(screen.getByText('ean').parentElement?.textContent).toBe('eannew')
    expect(compared).toEqual([{ id: 1, olderId: 2, newerId: 3 }])
  })

  it('keeps the files, the kind and the search in the address, and downloads what is shown', async () => {
    const { router, listed, compared } = renderComparison()
    const address = () => router.state.location.searchStr
    await userEvent.click(await screen.findByRole('button', { name: 'Quantity 1' }))
    expect(await screen.findByText('Items 1 of 1')).toBeDefined()
    expect(address()).toBe('?kind=quantity')
    await userEvent.type(screen.getByLabelText('Search SKUs'), 'q-1')
    expect(await screen.findByText('Matches 1 of 1')).toBeDefined()
    expect(address()).toBe('?kind=quantity&q=q-1')
    expect(listed.at(-1)).toMatchObject({ olderId: 2, newerId: 3, kind: 'quantity', q: 'q-1' })
    const link = screen.getByRole('link', { name: 'Download these changes' })
    expect(link.getAttribute('href')).toBe(
      '/api/connections/1/files/3.csv/changes-from/2.csv?kind=quantity&q=q-1',
    )
    await userEvent.selectOptions(screen.getByLabelText('From'), '1.csv')
    await waitFor(() => expect(compared.at(-1)).toMatchObject({ olderId: 1, newerId: 3 }))
    expect(address()).toBe('?kind=quantity&q=q-1&from=1.csv&to=3.csv')
    router.history.back()
    await waitFor(() => expect(address()).toBe('?kind=quantity&q=q-1'))
  })

  it('says what a search has not found, and offers to clear it', async () => {
    const nothing = { items: [], rowsRead: 22, rowCount: 22, nextCursor: null }
    renderComparison(`${PATH}?q=zzz`, { 'differences.items': () => nothing })
    expect(await screen.findByText('No matching items')).toBeDefined()
    await userEvent.click(screen.getAllByRole('button', { name: 'Clear search' }).at(-1)!)
    expect(await screen.findByRole('region', { name: 'Gone items' })).toBeDefined()
  })

  it('tells why files cannot be compared, and leads back from one that is gone', async () => {
    const obstacle = 'The “From” file is no longer stored.'
    const { unmount } = renderComparison(PATH, {
      'differences.compare': () => ({ found: null, obstacle }),
    })
    expect(await screen.findByText(obstacle)).toBeDefined()
    unmount()
    renderComparison(`${PATH}?to=lost.csv`)
    expect(await screen.findByText('A file is no longer there')).toBeDefined()
    const link = screen.getByRole('link', { name: 'Choose files in the history' })
    expect(link.getAttribute('href')).toBe('/supplier/connections/1/history')
  })

  it('can be tried again where it fails', async () => {
    let isDown = true
    renderComparison(PATH, {
      'differences.compare': () => {
        if (isDown) throw new Refusal(503, 'The rows could not be read.')
        return { found, obstacle: null }
      },
    })
    expect(await screen.findByText('The files could not be compared')).toBeDefined()
    isDown = false
    await userEvent.click(screen.getByRole('button', { name: 'Try Again' }))
    expect(await screen.findByRole('region', { name: 'Gone items' })).toBeDefined()
  })
})
