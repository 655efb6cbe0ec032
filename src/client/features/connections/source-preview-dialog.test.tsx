import { screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { afterEach, describe, expect, it, vi } from 'vitest'

import { AUTOMATIC_READING, AUTOMATIC_ROLES } from '../../../shared/automatic-reading'
import type { PreviewSourceInput, SourcePreview } from '../../../shared/schemas/connection'
import type { SourceReading } from '../../../shared/schemas/source-reading'
import * as sending from '../../lib/send-file'
import { InRouter } from '../../testing/render'
import { Refusal, renderWithAnswers } from '../../testing/render-app'
import type { ConfirmedKeys } from './confirmed-keys'
import type { Choices } from './reading-choice'
import { SourcePreviewDialog } from './source-preview-dialog'
import type { PreviewedSource } from './use-source-preview'

const source = { url: 'https://example.com/a.csv' }
const AUTOMATIC: Choices = {
  reading: AUTOMATIC_READING,
  categoryReading: null,
  columnRoles: AUTOMATIC_ROLES,
}
const GUESS = {
  line: null,
  message: 'Read as Windows-1250.',
  count: 1,
  setting: 'encoding',
} as const

/** A source that is taken for Windows-1250 unless another encoding is chosen. */
function readSource({ reading }: PreviewSourceInput): SourcePreview {
  const encoding = reading?.encoding ?? 'windows-1250'
  return {
    columns: ['sku', 'name'],
    columnCount: 2,
    rows: [['1', encoding === 'windows-1250' ? 'Čze' : 'Èze']],
    dialect: {
      encoding,
      hasByteOrderMark: false,
      delimiter: ';',
      isQuoted: true,
      hasHeader: true,
      compression: 'none',
    },
    problems: reading?.encoding ? [] : [GUESS],
    rowsRead: 1,
    isPartial: false,
    categoryReading: null,
    categoryColumns: ['sku', 'name'],
    categoryExamples: [],
    parts: { sheets: [], members: [], records: [] },
    update: null,
    overlay: null,
    found: {
      ...AUTOMATIC_READING,
      encoding: 'windows-1250',
      delimiter: ';',
      quoting: 'double',
      hasHeader: true,
      skipLines: 0,
    },
    foundRoles: { ...AUTOMATIC_ROLES, sku: 'sku' },
  }
}

function renderDialog(
  choices: Choices,
  answer: (input: PreviewSourceInput) => unknown,
  previewed: PreviewedSource = source,
  confirmed: ConfirmedKeys[] = [],
) {
  const used: Choices[] = []
  renderWithAnswers(
    <InRouter
      element={
        <SourcePreviewDialog
          isOpen
          source={previewed}
          choices={choices}
          onUse={(chosen) => used.push(chosen)}
          onConfirmKey={(keys) => confirmed.push(keys)}
          onClose={() => used.push(choices)}
        />
      }
    />,
    { 'connections.previewSource': answer },
  )
  return used
}

const chosen = (reading: Partial<SourceReading>): Choices => ({
  ...AUTOMATIC,
  reading: { ...AUTOMATIC_READING, ...reading },
})

const block = () => screen.getByRole('button', { name: /^How this file is read/ })
const field = (name: string) => screen.getByRole('combobox', { name })

async function choose(name: string, option: string) {
  await userEvent.click(field(name))
  await userEvent.click(await screen.findByRole('option', { name: option }))
}

afterEach(() => vi.restoreAllMocks())

describe('the preview of a source', () => {
  it('reads the source again at once when another encoding is chosen', async () => {
    const used = renderDialog(AUTOMATIC, readSource)
    await screen.findByRole('cell', { name: 'Čze' })
    expect(block().getAttribute('aria-expanded')).toBe('true')
    expect(field('Encoding')).toHaveProperty('value', 'Automatic (found: Windows-1250)')
    expect(field('Delimiter')).toHaveProperty('value', 'Automatic (found: Semicolon)')
    await choose('Encoding', 'Windows-1252')
    await screen.findByRole('cell', { name: 'Èze' })
    expect(screen.queryByRole('cell', { name: 'Čze' })).toBeNull()
    await userEvent.click(screen.getByRole('button', { name: 'Use this file' }))
    expect(used).toEqual([chosen({ encoding: 'windows-1252' })])
  })

  it('says why a second address cannot be joined, and cannot be used then', async () => {
    const overlay = { counts: null, problem: 'No row at the second address has a key.' }
    renderDialog(AUTOMATIC, (input) => ({ ...readSource(input), overlay }))
    expect((await screen.findByRole('alert')).textContent).toContain(overlay.problem)
    const use = screen.getByRole('button', { name: 'Use this file' })
    expect(use.getAttribute('aria-disabled')).toBe('true')
  })

  it('asks before choices are lost', async () => {
    const used = renderDialog(AUTOMATIC, readSource)
    await screen.findByRole('cell', { name: 'Čze' })
    await choose('Encoding', 'Windows-1252')
    await userEvent.keyboard('{Escape}')
    await screen.findByText('Discard your changes?')
    expect(used).toEqual([])
    await userEvent.click(screen.getByRole('button', { name: 'Discard' }))
    expect(used).toEqual([AUTOMATIC])
  })

  it('shows the rows as they were, and that it reads, until the new ones arrive', async () => {
    let arrive: () => void = () => undefined
    const wait = new Promise<void>((resolve) => {
      arrive = resolve
    })
    renderDialog(AUTOMATIC, async (input) => {
      if (input.reading?.encoding) await wait
      return readSource(input)
    })
    await screen.findByRole('cell', { name: 'Čze' })
    await choose('Encoding', 'Windows-1252')
    await screen.findByText('Reading the file again …')
    expect(screen.getByRole('cell', { name: 'Čze' })).toBeDefined()
    const use = screen.getByRole('button', { name: 'Use this file' })
    expect(use.getAttribute('aria-disabled')).toBe('true')
    arrive()
    await screen.findByRole('cell', { name: 'Èze' })
    await waitFor(() => expect(screen.queryByText('Reading the file again …')).toBeNull())
    expect(use.getAttribute('aria-disabled')).toBeNull()
  })

  it('folds its choices when all are automatic and nothing was guessed', async () => {
    renderDialog(AUTOMATIC, (input) => ({ ...readSource(input), problems: [] }))
    await screen.findByRole('cell', { name: 'Čze' })
    expect(block().getAttribute('aria-expanded')).toBe('false')
    expect(within(block()).getByText('Automatic')).toBeDefined()
  })

  it('begins with the choices of the connection, and reads only with these', async () => {
    const inputs: PreviewSourceInput[] = []
    renderDialog(chosen({ encoding: 'windows-1252' }), (input) => {
      inputs.push(input)
      return readSource(input)
    })
    await screen.findByRole('cell', { name: 'Èze' })
    expect(block().getAttribute('aria-expanded')).toBe('true')
    expect(field('Encoding')).toHaveProperty('value', 'Windows-1252')
    expect(inputs).toEqual([
      {
        ...source,
        reading: { ...AUTOMATIC_READING, encoding: 'windows-1252' },
        columnRoles: AUTOMATIC_ROLES,
      },
    ])
  })

  it('offers the way back when the file does not fit the choices', async () => {
    renderDialog(chosen({ delimiter: '|' }), (input) => {
      if (input.reading?.delimiter === null) return readSource(input)
      throw new Refusal(400, 'Failed to parse CSV data. The chosen delimiter, pipe, is wrong.')
    })
    await screen.findByText('The chosen delimiter, pipe, is wrong.')
    expect(screen.getByText('Failed to parse CSV data')).toBeDefined()
    expect(screen.getByText('The file cannot be read like this.')).toBeDefined()
    await userEvent.click(screen.getByRole('button', { name: 'Back to automatic' }))
    await screen.findByRole('cell', { name: 'Čze' })
    expect(field('Delimiter')).toHaveProperty('value', 'Automatic (found: Semicolon)')
  })

  it('lets the supplier decide when a file cannot be read automatically', async () => {
    renderDialog(AUTOMATIC, ({ reading, ...input }) => {
      if (reading?.skipLines === 3) return readSource({ reading, ...input })
      throw new Refusal(400, 'Failed to parse CSV data. Line 4 has 5 cells.')
    })
    await screen.findByText('Line 4 has 5 cells.')
    expect(block().getAttribute('aria-expanded')).toBe('true')
    await userEvent.type(screen.getByLabelText('Lines to skip before the header'), '3')
    await screen.findByRole('cell', { name: 'Čze' })
  })

  it('asks only for the encoding of a document whose bytes are not as it says', async () => {
    const why =
      'The JSON lines file is damaged: it has bytes that are not UTF-8 (line 1, character 1 of the file). Correct it in the program that writes it, or choose its encoding.'
    renderDialog(AUTOMATIC, ({ reading, ...input }) => {
      if (reading?.encoding === 'windows-1252') return readSource({ reading, ...input })
      throw new Refusal(400, `Failed to parse CSV data. ${why}`)
    })
    await screen.findByText(why)
    expect(block().getAttribute('aria-expanded')).toBe('true')
    for (const name of ['Delimiter', 'Quotes', 'Header row', 'Lines to skip before the header']) {
      expect(screen.queryByLabelText(name)).toBeNull()
    }
    await choose('Encoding', 'Windows-1252')
    await screen.findByRole('cell', { name: 'Èze' })
    expect(field('Delimiter')).toBeDefined()
  })

  it('says how long to wait after too many previews', async () => {
    renderDialog(AUTOMATIC, () => {
      throw new Refusal(429, 'Too many attempts. Try again in 20 seconds.', undefined, 20)
    })
    await screen.findByText('Please wait 20 s')
    expect(screen.queryByText('Failed to fetch CSV file')).toBeNull()
    expect(screen.queryByRole('button', { name: /^How this file is read/ })).toBeNull()
  })

  it('tells what the columns are, and takes over what is chosen instead', async () => {
    const used = renderDialog(AUTOMATIC, (input) => ({
      ...readSource(input),
      columns: ['sku', 'name', 'free'],
      categoryColumns: ['sku', 'name', 'free'],
      foundRoles: { ...AUTOMATIC_ROLES, sku: 'sku' },
    }))
    await screen.findByRole('columnheader', { name: 'sku SKU' })
    await screen.findByText('No quantity was found')
    await choose('Quantity', 'free')
    await screen.findByRole('columnheader', { name: 'free Quantity' })
    expect(screen.queryByText('No quantity was found')).toBeNull()
    await userEvent.click(screen.getByRole('button', { name: 'Use this file' }))
    expect(used).toEqual([{ ...AUTOMATIC, columnRoles: { ...AUTOMATIC_ROLES, quantity: 'free' } }])
  })

  it('says when a chosen column is not in the file', async () => {
    const columnRoles = { ...AUTOMATIC_ROLES, sku: 'sku', quantity: 'on hand' }
    renderDialog({ ...AUTOMATIC, columnRoles }, readSource)
    await screen.findByText('The column “on hand” is not in the file')
    expect(screen.getByText('This column is not in the file')).toBeDefined()
    expect(screen.getByText('on hand (not in the file)')).toBeDefined()
  })

  it('reads an update again when the column of its keys is chosen', async () => {
    const roles: unknown[] = []
    renderDialog(AUTOMATIC, (input) => {
      roles.push(input.columnRoles?.sku)
      return { ...readSource(input), update: { isFull: false, counts: null } }
    })
    await screen.findByRole('columnheader', { name: 'sku SKU' })
    await choose('SKU', 'name')
    await waitFor(() => expect(roles).toEqual([null, 'name']))
  })

  it('says when the kept category column is not in the file', async () => {
    const categoryReading = { column: 'range', pathSeparator: '>', listSeparator: null } as const
    renderDialog({ ...AUTOMATIC, categoryReading }, readSource)
    await screen.findByText('This column is not in the file')
    await choose('Category column', 'name')
    expect(screen.queryByText('This column is not in the file')).toBeNull()
  })
})

describe('the preview of a file that is sent', () => {
  const file = new File(['sku\n'], 'stock.xlsx')

  function renderSent(answer: (input: PreviewSourceInput) => SourcePreview) {
    vi.spyOn(sending, 'sendFile').mockImplementation(async (address) => {
      const reading = new URL(address, 'http://x').searchParams.get('reading') ?? ''
      return answer({ ...source, reading: JSON.parse(reading) as SourceReading })
    })
    return renderDialog(AUTOMATIC, answer, { file })
  }

  it.each([
    [
      'Failed to parse CSV data. The workbook is damaged.',
      'The file cannot be read',
      'The workbook is damaged.',
    ],
    ['CSV file is empty', 'The file is empty', 'It has no lines.'],
    ['Something went wrong.', 'The file could not be previewed', 'Something went wrong.'],
  ])('tells of the file why there is none: %s', async (answer, title, message) => {
    renderSent(() => {
      throw new Refusal(400, answer)
    })
    expect(await screen.findByText(title)).toBeDefined()
    expect(screen.getByText(message)).toBeDefined()
    expect(screen.getByRole('dialog', { name: 'File Preview' })).toBeDefined()
  })

  it('is used only once one of several files in an archive is chosen', async () => {
    const members = ['a.csv', 'b.csv'].map((path) => ({ path, sizeBytes: 1_024, modifiedAt: null }))
    const used = renderSent((input) => ({
      ...readSource(input),
      parts: { sheets: [], members, records: [] },
    }))
    await screen.findByText('Choose the file in the archive first.')
    const use = screen.getByRole('button', { name: 'Use this file' })
    expect(use.getAttribute('aria-disabled')).toBe('true')
    await choose('File in the archive', 'b.csv · 1 KB')
    await waitFor(() => expect(use.getAttribute('aria-disabled')).toBeNull())
    await userEvent.click(use)
    expect(used).toMatchObject([{ reading: { member: 'b.csv' } }])
  })
})

describe('the key of a server', () => {
  const OLD = 'ssh-ed25519 SHA256:AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA'
  const OTHER = 'ssh-rsa SHA256:BBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBB'
  const NEW = 'ssh-ed25519 SHA256:CCCCCCCCCCCCCCCCCCCCCCCCCCCCCCCCCCCCCCCCCCC'
  const refuse = (reason: string, path: string) => () => {
    throw new Refusal(400, 'The server shows a key', { [path]: '' }, undefined, reason, NEW)
  }
  const at = { url: 'sftp://files.example/a.csv' }

  it('is shown before anything is sent, and confirmed by a click', async () => {
    const answer = refuse('host_key_unconfirmed', 'config.transfer.hostKeys')
    const confirmed: ConfirmedKeys[] = []
    renderDialog(AUTOMATIC, answer, at, confirmed)
    await screen.findByText('Is this the key of the server?')
    expect(screen.getByText(NEW.split(' ')[1] ?? '')).toBeDefined()
    await userEvent.click(screen.getByRole('button', { name: 'Confirm this key' }))
    expect(confirmed).toEqual([{ part: 'config', hostKeys: [NEW] }])
  })

  it('that has changed is shown beside the confirmed one, and takes the place of those of its kind', async () => {
    const answer = refuse('host_key_changed', 'overlay.transfer.hostKeys')
    const transfer = { hostKeys: [OLD, OTHER] }
    const overlay = { ...at, transfer, onlyInFile: 'keep', onlyInOverlay: 'leave-out' } as const
    const confirmed: ConfirmedKeys[] = []
    renderDialog(AUTOMATIC, answer, { ...at, overlay }, confirmed)
    await screen.findByText('The server shows another key than before')
    for (const key of [OLD, OTHER, NEW]) {
      expect(screen.getByText(key.split(' ')[1] ?? '')).toBeDefined()
    }
    await userEvent.click(screen.getByRole('button', { name: 'Confirm the new key instead' }))
    expect(confirmed).toEqual([{ part: 'overlay', hostKeys: [OTHER, NEW] }])
  })
})
