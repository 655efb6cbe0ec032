import { MultiSelect, Select } from '@mantine/core'
import { useState } from 'react'

import { formatCountOf, formatFileSize } from '../../../shared/format'
import type { TableParts } from '../../../shared/schemas/connection'
import type { SourceReading } from '../../../shared/schemas/source-reading'
import type { TableForm } from '../../../shared/table-forms'
import { SETTING_LABELS, automaticLabel } from './reading-labels'
import { RecordChoice } from './record-choice'

import '@mantine/core/styles/PillsInput.css'
import '@mantine/core/styles/Pill.css'
import classes from './part-fields.module.css'

interface PartFieldsProps {
  reading: SourceReading
  found: SourceReading | undefined
  /** What can be chosen from; undefined before the file is read. */
  parts: TableParts | undefined
  form: TableForm | undefined
  onChange: (changes: Partial<SourceReading>) => void
}

type Sheet = TableParts['sheets'][number]
type Member = TableParts['members'][number]

/** Which part of a workbook, an archive or a document is read, where there are several or one has been chosen. */
export function PartFields({ reading, found, parts, form, onChange }: PartFieldsProps) {
  const { sheets, member, records } = reading
  // A field in which the last choice was taken back stays.
  const [first] = useState(reading)
  // The only table of a web page may have to be chosen, too.
  const fewest = form === 'html' ? 1 : 2
  const sheetOptions = withChosen(
    [
      ...(parts?.sheets.map(toSheetOption) ?? []),
      ...listPatterns(
        parts?.sheets.map(({ name }) => name),
        'all sheets that fit',
      ),
    ],
    sheets ?? [],
  )
  const sheetLabels = new Map(sheetOptions.map(({ value, label }) => [value, label]))
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
  const mustChoose = isMemberMissing(parts, reading)
  const automatic = hasSeveral(parts)
    ? 'Automatic (archives of one file)'
    : automaticLabel('member', found)
  return (
    <>
      {(memberOptions.length > 1 || (member ?? first.member) !== null) && (
        <Select
          label={SETTING_LABELS.member}
          searchable
          nothingFoundMessage="Nothing found"
          allowDeselect={false}
          placeholder="Choose a file"
          data={[...(mustChoose ? [] : [{ value: '', label: automatic }]), ...memberOptions]}
          value={mustChoose ? null : (member ?? '')}
          onChange={(value) => onChange({ member: value || null })}
        />
      )}
      {(sheetOptions.length >= fewest || (sheets ?? first.sheets) !== null) && (
        <MultiSelect
          label={SETTING_LABELS.sheets}
          description="Several sheets with the same columns are read as one table."
          placeholder={sheets ? undefined : automaticLabel('sheets', found)}
          searchable
          clearable
          hidePickedOptions
          nothingFoundMessage="Nothing found"
          // What is chosen has room for its name only.
          data={sheetOptions.map(({ value }) => value)}
          renderOption={({ option }) => sheetLabels.get(option.value)}
          classNames={{ inputField: classes.search }}
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

const hasSeveral = (parts: TableParts | undefined) => (parts?.members.length ?? 0) > 1

/** Whether a sync would read no file of an archive, because it has several. */
export const isMemberMissing = (parts: TableParts | undefined, { member }: SourceReading) =>
  hasSeveral(parts) && member === null

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
    rows !== null && `about ${formatCountOf(rows, 'row')}`,
    columns !== null && formatCountOf(columns, 'column'),
  ].filter((fact) => fact !== false)
  return { value: name, label: facts.length > 0 ? `${name} · ${facts.join(', ')}` : name }
}

function toMemberOption({ path, sizeBytes }: Member): Option {
  return { value: path, label: `${path} · ${formatFileSize(sizeBytes)}` }
}
