import { screen } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { useState } from 'react'
import { describe, expect, it } from 'vitest'

import { AUTOMATIC_READING } from '../../../shared/automatic-reading'
import type { TableParts } from '../../../shared/schemas/connection'
import type { SourceReading } from '../../../shared/schemas/source-reading'
import type { TableForm } from '../../../shared/table-forms'
import { renderInTheme } from '../../testing/render'
import { PartFields } from './part-fields'

const parts: TableParts = {
  sheets: [
    { name: 'Stock', isHidden: false, rows: 1_204, columns: 6 },
    { name: 'Old', isHidden: true, rows: null, columns: null },
  ],
  members: [
    { path: 'a.csv', sizeBytes: 2_048, modifiedAt: null },
    { path: 'b.csv', sizeBytes: 1_024, modifiedAt: null },
  ],
  records: [],
}
const PRODUCTS = { path: ['catalog', 'product'], variants: ['variants', 'variant'] }
const records: TableParts['records'] = [
  {
    ...PRODUCTS,
    rows: 1_204,
    isWhole: false,
    header: ['sku', 'name', 'size', 'price', 'stock'],
    columnCount: 14,
    firstRows: [
      ['A1', 'Boot', '42', '99', '5'],
      ['A2', 'Boot', '43', '99', '0'],
    ],
  },
  {
    path: ['catalog', 'store'],
    variants: null,
    rows: 1,
    isWhole: true,
    header: ['city'],
    columnCount: 1,
    firstRows: [['Prague']],
  },
]
const FEED: TableParts = { sheets: [], members: [], records }
const ONE: TableParts = { sheets: parts.sheets.slice(0, 1), members: [], records: [] }

function renderFields(
  found: TableParts | undefined,
  reading: Partial<SourceReading> = {},
  { form, used = {} }: { form?: TableForm; used?: Partial<SourceReading> } = {},
) {
  const changes: Partial<SourceReading>[] = []
  renderInTheme(
    <PartFields
      reading={{ ...AUTOMATIC_READING, ...reading }}
      found={{ ...AUTOMATIC_READING, ...used }}
      parts={found}
      form={form}
      onChange={(change) => changes.push(change)}
    />,
  )
  return changes
}

/** The fields before a file is read, which keep what is chosen. */
function Chosen({ reading: first }: { reading: SourceReading }) {
  const [reading, setReading] = useState(first)
  return (
    <PartFields
      reading={reading}
      found={undefined}
      parts={undefined}
      form={undefined}
      onChange={(change) => setReading({ ...reading, ...change })}
    />
  )
}

const sheets = () => screen.queryByRole('combobox', { name: /sheet/i })
const member = () => screen.queryByRole('combobox', { name: 'File in the archive' })

describe('the part of a file that is read', () => {
  it.each([
    ['before the file is read', undefined],
    ['when there is only one', ONE],
  ])('is not asked for %s', (_, found) => {
    renderFields(found)
    expect([sheets(), member()]).toEqual([null, null])
  })

  it('can be chosen on a web page that has only one', async () => {
    const changes = renderFields(ONE, {}, { form: 'html' })
    await userEvent.click(sheets()!)
    await userEvent.click(await screen.findByRole('option', { name: /^Stock/ }))
    expect(changes).toEqual([{ sheets: ['Stock'] }])
  })

  it('is chosen from the sheets, which tell their size and whether they are hidden', async () => {
    const changes = renderFields(parts)
    await userEvent.click(sheets()!)
    expect(await screen.findByRole('option', { name: 'Old · hidden' })).toBeDefined()
    await userEvent.click(
      screen.getByRole('option', { name: 'Stock · about 1,204 rows, 6 columns' }),
    )
    expect(changes).toEqual([{ sheets: ['Stock'] }])
  })

  it('is shown by its name alone once it is chosen', () => {
    renderFields(parts, { sheets: ['Stock'] })
    expect(screen.getByText('Stock')).toBeDefined()
  })

  it('has no automatic choice among several files of an archive', async () => {
    renderFields(parts)
    expect(member()).toHaveProperty('value', '')
    expect(member()).toHaveProperty('placeholder', 'Choose a file')
    await userEvent.click(member()!)
    await screen.findByRole('option', { name: 'a.csv · 2 KB' })
    expect(screen.queryByRole('option', { name: /Automatic/ })).toBeNull()
  })

  it('is chosen from the files of an archive, and can be automatic again', async () => {
    const changes = renderFields(parts, { member: 'a.csv' })
    await userEvent.click(member()!)
    await userEvent.click(await screen.findByRole('option', { name: 'b.csv · 1 KB' }))
    await userEvent.click(member()!)
    await userEvent.click(
      await screen.findByRole('option', { name: 'Automatic (archives of one file)' }),
    )
    expect(changes).toEqual([{ member: 'b.csv' }, { member: null }])
  })

  it('can be chosen again after the last choice was taken back', async () => {
    renderInTheme(<Chosen reading={{ ...AUTOMATIC_READING, sheets: ['Stock'], member: 'a.csv' }} />)
    await userEvent.click(sheets()!)
    await userEvent.keyboard('{Backspace}')
    expect(screen.queryByText('Stock')).toBeNull()
    expect([sheets(), member()]).not.toContain(null)
  })

  it('is shown although the file no longer has it', async () => {
    renderFields(ONE, { sheets: ['Gone'], member: 'gone-*.csv' })
    expect(member()).toHaveProperty('value', 'gone-*.csv')
    expect(screen.getByText('Gone')).toBeDefined()
  })

  it('is chosen from the lists of a document, which show their first rows', async () => {
    const changes = renderFields(FEED, {}, { used: { records: PRODUCTS } })
    const automatic = screen.getByRole('radio', { name: 'Automatic' })
    expect(automatic).toHaveProperty('checked', true)
    const product = screen.getByRole('radio', {
      name: 'product / variant',
      description:
        'catalog › product, a row for each of variants › variant · 1,204+ rows · 14 columns. Columns: sku, name, size, stock …',
    })
    expect(product.parentElement?.textContent).toContain('Read now')
    expect(product.parentElement?.textContent).toContain('Boot')
    await userEvent.click(screen.getByRole('radio', { name: 'store' }))
    await userEvent.click(product)
    expect(changes).toEqual([
      { records: { path: ['catalog', 'store'], variants: null } },
      { records: PRODUCTS },
    ])
  })

  it('is chosen with the keyboard, and can be automatic again', async () => {
    const changes = renderFields(FEED, { records: PRODUCTS })
    await userEvent.tab()
    expect(screen.getByRole('radio', { name: 'product / variant' })).toBe(document.activeElement)
    await userEvent.keyboard('{ArrowUp}')
    expect(changes).toEqual([{ records: null }])
  })

  it('is shown although the document no longer has it', () => {
    renderFields(FEED, { records: { path: ['catalog', 'gone'], variants: null } })
    expect(screen.getByRole('radio', { name: 'gone' })).toHaveProperty('checked', true)
  })
})
