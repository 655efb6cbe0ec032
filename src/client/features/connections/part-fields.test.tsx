import { screen } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
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
}
const ONE: TableParts = { sheets: parts.sheets.slice(0, 1), members: [] }

function renderFields(
  found: TableParts | undefined,
  reading: Partial<SourceReading> = {},
  form?: TableForm,
) {
  const changes: Partial<SourceReading>[] = []
  renderInTheme(
    <PartFields
      reading={{ ...AUTOMATIC_READING, ...reading }}
      found={undefined}
      parts={found}
      form={form}
      onChange={(change) => changes.push(change)}
    />,
  )
  return changes
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
    const changes = renderFields(ONE, {}, 'html')
    await userEvent.click(sheets()!)
    await userEvent.click(await screen.findByRole('option', { name: /^Stock/ }))
    expect(changes).toEqual([{ sheets: ['Stock'] }])
  })

  it('is chosen from the sheets, which tell their size and whether they are hidden', async () => {
    const changes = renderFields(parts)
    await userEvent.click(sheets()!)
    expect(await screen.findByRole('option', { name: 'Old · hidden' })).toBeDefined()
    await userEvent.click(screen.getByRole('option', { name: 'Stock · about 1,204 × 6' }))
    expect(changes).toEqual([{ sheets: ['Stock'] }])
  })

  it('is chosen from the files of an archive, and can be automatic again', async () => {
    const changes = renderFields(parts, { member: 'a.csv' })
    await userEvent.click(member()!)
    await userEvent.click(await screen.findByRole('option', { name: 'b.csv · 1 KB' }))
    await userEvent.click(member()!)
    await userEvent.click(await screen.findByRole('option', { name: /^Automatic/ }))
    expect(changes).toEqual([{ member: 'b.csv' }, { member: null }])
  })

  it('is shown although the file no longer has it', async () => {
    renderFields(ONE, { sheets: ['Gone'], member: 'gone-*.csv' })
    expect(member()).toHaveProperty('value', 'gone-*.csv')
    expect(screen.getByText('Gone')).toBeDefined()
  })
})
