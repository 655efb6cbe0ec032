import { MultiSelect, Select } from '@mantine/core'

import { formatCount, formatFileSize } from '../../../shared/format'
import type { TableParts } from '../../../shared/schemas/connection'
import type { SourceReading } from '../../../shared/schemas/source-reading'
import { SETTING_LABELS, automaticLabel } from './reading-labels'
import { RecordChoice } from './record-choice'

import '@mantine/core/styles/PillsInput.css'
import '@mantine/core/styles/Pill.css'

interface PartFieldsProps {
  reading: SourceReading
  found: SourceReading | undefined
  /** What can be chosen from; undefined before the file is read. */
  parts: TableParts | undefined
  onChange: (changes: Partial<SourceReading>) => void
}

type Sheet = TableParts['sheets'][number]
type Member = TableParts['members'][number]

/** Which part of a workbook, an archive or a document is read, where there are several or one has been chosen. */
export function PartFields({ reading, found, parts, onChange }: PartFieldsProps) {
  const { sheets, member, records } = reading
  const sheetOptions = withChosen(
    [
      ...(parts?.sheets.map(toSheetOption) ?? []),
      ...listPatterns(
        parts?.sheets.map(({ name }) => name),
        'all that fit',
      ),
    ],
    sheets ?? [],
  )
  const memberOptions = withChosen(
    [
      ...(parts?.members.map(toMemberOption) ?? []),
      ...listPatterns(
        parts?.members.map(({ path }) => path),
        'the newest that fits',
      ),
    ],
    member === null ? [] : [member],
  )
  return (
    <>
      {(memberOptions.length > 1 || member !== null) && (
        <Select
          label={SETTING_LABELS.member}
          searchable
          nothingFoundMessage="Nothing found"
          allowDeselect={false}
          data={[{ value: '', label: automaticLabel('member', found) }, ...memberOptions]}
          value={member ?? ''}
          onChange={(value) => onChange({ member: value || null })}
        />
      )}
      {(sheetOptions.length > 1 || sheets !== null) && (
        <MultiSelect
          label={SETTING_LABELS.sheets}
          description="Several sheets with the same columns are read as one table."
          placeholder={sheets ? undefined : automaticLabel('sheets', found)}
          searchable
          clearable
          hidePickedOptions
          nothingFoundMessage="Nothing found"
          data={sheetOptions}
          value={sheets ?? []}
          onChange={(values) => onChange({ sheets: values.length > 0 ? values : null })}
        />
      )}
      {((parts?.records.length ?? 0) > 0 || records !== null) && (
        <RecordChoice
          chosen={records}
          used={found?.records ?? null}
          places={parts?.records ?? []}
          onChoose={(place) => onChange({ records: place })}
        />
      )}
    </>
  )
}

interface Option {
  value: string
  label: string
}

const DIGITS = /\d{2,}(?:[-_. ]?\d{2,}){0,5}/g

/** Patterns of the names that have a date or a number, which changes from file to file. */
function listPatterns(names: readonly string[] = [], meaning: string): Option[] {
  const patterns = new Set(names.filter((name) => /\d\d/.test(name)).map(toPattern))
  return [...patterns].map((value) => ({ value, label: `${value} · ${meaning}` }))
}

const toPattern = (name: string) => name.replaceAll(DIGITS, '*')

/** What was chosen can be seen although the file no longer has it. */
function withChosen(options: Option[] = [], chosen: readonly string[]): Option[] {
  const known = new Set(options.map(({ value }) => value))
  return [
    ...options,
    ...chosen.filter((value) => !known.has(value)).map((value) => ({ value, label: value })),
  ]
}

/** `Stock · about 1,204 rows, 6 columns`. */
function toSheetOption({ name, isHidden, rows, columns }: Sheet): Option {
  const facts = [
    isHidden && 'hidden',
    rows !== null && columns !== null && `about ${formatCount(rows)} × ${formatCount(columns)}`,
  ].filter((fact) => fact !== false)
  return { value: name, label: facts.length > 0 ? `${name} · ${facts.join(', ')}` : name }
}

function toMemberOption({ path, sizeBytes }: Member): Option {
  return { value: path, label: `${path} · ${formatFileSize(sizeBytes)}` }
}
