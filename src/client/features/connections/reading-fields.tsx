import { NumberInput, Select } from '@mantine/core'

import type { ReadingSetting } from '../../../shared/automatic-reading'
import { DELIMITERS, DELIMITER_LABELS } from '../../../shared/delimiters'
import { ENCODINGS, encodingLabel } from '../../../shared/encodings'
import { MAX_SKIPPED_LINES, QUOTING_LABELS, QUOTING_STYLES } from '../../../shared/reading'
import type { TableParts } from '../../../shared/schemas/connection'
import type { SourceReading } from '../../../shared/schemas/source-reading'
import type { DocumentForm, TableForm } from '../../../shared/table-forms'
import { PartFields } from './part-fields'
import { SETTING_LABELS, automaticLabel } from './reading-labels'

interface ReadingFieldsProps {
  reading: SourceReading
  /** What is found when a setting is automatic; undefined before the file is read. */
  found: SourceReading | undefined
  /** What the file consists of, as far as it can be chosen from. */
  parts: TableParts | undefined
  form: TableForm | undefined
  /** The document that could not be read as it is chosen, if it is one. */
  unreadable: DocumentForm | undefined
  onChange: (reading: SourceReading) => void
}

const encodingOptions = ENCODINGS.map((value) => ({ value, label: encodingLabel(value) }))
const delimiterOptions = DELIMITERS.map((value) => ({ value, label: DELIMITER_LABELS[value] }))
const quotingOptions = QUOTING_STYLES.map((value) => ({ value, label: QUOTING_LABELS[value] }))
const headerOptions = [
  { value: 'yes', label: 'Yes' },
  { value: 'no', label: 'No' },
]

/** The settings by which a supplier decides how its file is read. */
export function ReadingFields({
  reading,
  found,
  parts,
  form,
  unreadable,
  onChange,
}: ReadingFieldsProps) {
  const change = (changes: Partial<SourceReading>) => onChange({ ...reading, ...changes })
  // Before the file is read, a choice tells as much.
  const isWorkbook = (parts?.sheets ?? reading.sheets ?? []).length > 0
  const isRead = parts ? parts.records.length > 0 : reading.records !== null
  const isDocument = isRead || unreadable !== undefined
  // The fields of records have names.
  const hasNames =
    unreadable !== undefined || parts?.records.some(({ header: names }) => names.length > 0)
  return (
    <>
      <PartFields reading={reading} found={found} parts={parts} form={form} onChange={change} />
      {((!isWorkbook && !isRead) || form === 'html' || reading.encoding !== null) && (
        <SettingSelect
          setting="encoding"
          found={found}
          searchable
          options={encodingOptions}
          value={reading.encoding}
          onChoose={(encoding) => change({ encoding })}
        />
      )}
      {!isWorkbook && !isDocument && (
        <TextFields reading={reading} found={found} onChange={change} />
      )}
      {!hasNames && <HeaderFields reading={reading} found={found} onChange={change} />}
    </>
  )
}

interface FieldsProps extends Pick<ReadingFieldsProps, 'reading' | 'found'> {
  onChange: (changes: Partial<SourceReading>) => void
}

/** Where the rows begin. */
function HeaderFields({ reading, found, onChange }: FieldsProps) {
  const header = reading.hasHeader ? 'yes' : 'no'
  return (
    <>
      <SettingSelect
        setting="hasHeader"
        found={found}
        options={headerOptions}
        value={reading.hasHeader === null ? null : header}
        onChoose={(value) => onChange({ hasHeader: value === null ? null : value === 'yes' })}
      />
      <NumberInput
        label={SETTING_LABELS.skipLines}
        placeholder={automaticLabel('skipLines', found)}
        min={0}
        max={MAX_SKIPPED_LINES}
        clampBehavior="strict"
        allowDecimal={false}
        allowNegative={false}
        value={reading.skipLines ?? ''}
        onChange={(lines) => onChange({ skipLines: lines === '' ? null : Number(lines) })}
      />
    </>
  )
}

/** How cells are separated in a text, which those of workbooks and documents are not. */
function TextFields({ reading, found, onChange }: FieldsProps) {
  return (
    <>
      <SettingSelect
        setting="delimiter"
        found={found}
        options={delimiterOptions}
        value={reading.delimiter}
        onChoose={(delimiter) => onChange({ delimiter })}
      />
      <SettingSelect
        setting="quoting"
        found={found}
        options={quotingOptions}
        value={reading.quoting}
        onChoose={(quoting) => onChange({ quoting })}
      />
    </>
  )
}

interface SettingSelectProps<Value extends string> {
  setting: ReadingSetting
  found: SourceReading | undefined
  options: { value: Value; label: string }[]
  value: Value | null
  searchable?: boolean
  onChoose: (value: Value | null) => void
}

const AUTOMATIC = ''

/** A select whose first option leaves the setting to the detection. */
function SettingSelect<Value extends string>({
  setting,
  found,
  options,
  value,
  searchable = false,
  onChoose,
}: SettingSelectProps<Value>) {
  return (
    <Select
      label={SETTING_LABELS[setting]}
      searchable={searchable}
      nothingFoundMessage="Nothing found"
      allowDeselect={false}
      data={[{ value: AUTOMATIC, label: automaticLabel(setting, found) }, ...options]}
      value={value ?? AUTOMATIC}
      onChange={(chosen) =>
        onChoose(options.find((option) => option.value === chosen)?.value ?? null)
      }
    />
  )
}
