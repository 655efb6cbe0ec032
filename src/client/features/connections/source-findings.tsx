import { Anchor, Group, Text } from '@mantine/core'
import { IconCircleCheck } from '@tabler/icons-react'

import { AUTOMATIC_ROLES, type GuessedSetting } from '../../../shared/automatic-reading'
import { DELIMITER_LABELS } from '../../../shared/delimiters'
import { encodingLabel } from '../../../shared/encodings'
import { formatCount, formatCountOf } from '../../../shared/format'
import { describeJoin } from '../../../shared/join-text'
import type { ColumnRoles } from '../../../shared/schemas/column-policy'
import type { SourcePreview } from '../../../shared/schemas/connection'
import type {
  Dialect,
  FileProblem,
  Origin,
  SourceFindings as Findings,
} from '../../../shared/schemas/file'
import { TABLE_FORM_LABELS } from '../../../shared/table-forms'
import { describeUpdate } from '../../../shared/update-text'
import { type Place, ProblemList } from '../../components/feedback/problem-list'
import { DefinitionList, type Definition } from '../../components/layout/definition-list'
import { ROLE_LABELS } from '../../lib/role-labels'
import { CategoryExamples } from './category-examples'
import { SETTING_NOUNS } from './reading-labels'
import { listRoles, type ShownRole } from './shown-roles'

/** `UTF-8 with BOM, gzip`. */
function formatEncoding(dialect: Dialect): string {
  const encoding = encodingLabel(dialect.encoding) + (dialect.hasByteOrderMark ? ' with BOM' : '')
  return dialect.compression === 'none' ? encoding : `${encoding}, ${dialect.compression}`
}

/** Where the table of a source is, and how it is written. */
function dialectItems(dialect: Dialect): Definition[] {
  const { origin } = dialect
  return [
    ...(dialect.fileName === undefined ? [] : [{ term: 'File', value: dialect.fileName }]),
    ...(origin?.member ? [{ term: 'File in the archive', value: origin.member }] : []),
    ...(origin && origin.form !== 'csv' ? partItems(origin) : textItems(dialect)),
    { term: 'Header', value: headerOf(dialect) },
  ]
}

function partItems({ form, sheets, records }: Origin): Definition[] {
  const format = { term: 'Format', value: TABLE_FORM_LABELS[form] }
  if (!records) {
    return [format, { term: sheets.length > 1 ? 'Sheets' : 'Sheet', value: sheets.join(', ') }]
  }
  const { path, variants } = records
  return [
    format,
    { term: 'Records', value: path.join(' › ') || 'The whole list' },
    ...(variants ? [{ term: 'A row for each', value: variants.join(' › ') }] : []),
  ]
}

const textItems = (dialect: Dialect): Definition[] => [
  { term: 'Delimiter', value: DELIMITER_LABELS[dialect.delimiter] },
  { term: 'Encoding', value: formatEncoding(dialect) },
]

function headerOf({ hasHeader, origin }: Dialect): string {
  if (!hasHeader) return 'None found'
  return origin?.records ? 'Names of the fields' : 'First row'
}

/** What a place in the file is called. */
function placeOf({ origin }: Dialect): Place {
  if (origin?.records) return 'Record'
  return origin && origin.form !== 'csv' ? 'Row' : 'Line'
}

const isWorkbook = ({ origin }: Dialect) => origin !== undefined && origin.form !== 'csv'

/** Format and problems of the part of the file that the preview read. */
export function SourceFindings({
  preview,
  columnRoles = AUTOMATIC_ROLES,
}: {
  preview: SourcePreview
  /** What is chosen of its columns. */
  columnRoles?: ColumnRoles
}) {
  const { dialect, rowsRead, isPartial } = preview
  return (
    <>
      <DefinitionList
        items={[
          ...dialectItems(dialect),
          {
            term: 'Rows read',
            value: isPartial ? `First ${formatCount(rowsRead)}` : formatCount(rowsRead),
          },
          { term: 'Columns', value: formatCount(preview.columnCount) },
          { term: 'Category column', value: preview.categoryReading?.column ?? 'None found' },
          ...listRoles(preview, columnRoles).map(toRoleItem),
          ...(preview.update
            ? [{ term: 'What it does', value: describeEffect(preview.update) }]
            : []),
          ...(preview.overlay
            ? [{ term: 'Second address', value: describeOverlay(preview.overlay) }]
            : []),
        ]}
      />
      {preview.problems.length > 0 && (
        <Problems problems={preview.problems} place={placeOf(dialect)} />
      )}
    </>
  )
}

function toRoleItem({ role, column, isGone }: ShownRole): Definition {
  const value = column === null ? 'None found' : isGone ? `${column} (not in the file)` : column
  return { term: ROLE_LABELS[role], value }
}

/** `Update of 37 items: 30 changed, 5 new, 2 removed`. */
function describeEffect({ isFull, counts }: NonNullable<SourcePreview['update']>): string {
  if (isFull) return 'A full file: it takes the place of all items'
  if (!counts) return 'An update, too large to be tried here'
  const text = describeUpdate(counts)
  return text.charAt(0).toUpperCase() + text.slice(1)
}

function describeOverlay({ counts, problem }: NonNullable<SourcePreview['overlay']>): string {
  if (problem !== null) return 'Not joined'
  return counts
    ? describeJoin(counts)
    : 'Joined to the rows shown. The sync tells how many there are.'
}

interface PublishedFindingsProps {
  findings: Findings
  /** Opens where a setting is chosen; without it, nothing can be chosen here. */
  onChoose?: ((setting: GuessedSetting) => void) | undefined
}

/** Format and problems found by the last sync that published a file. */
export function PublishedFindings({ findings, onChoose }: PublishedFindingsProps) {
  return (
    <>
      <DefinitionList
        items={[
          ...dialectItems(findings.dialect),
          { term: 'Rows', value: formatCount(findings.rowCount) },
          { term: 'Columns', value: formatCount(findings.columnCount) },
          { term: 'Category column', value: findings.categoryReading?.column ?? 'None found' },
        ]}
      />
      {findings.categoryReading && (
        <CategoryExamples cells={findings.categoryExamples} separators={findings.categoryReading} />
      )}
      <Text mt={16} mb={12}>
        {describeWriting(findings)}
      </Text>
      {findings.problems.length > 0 ? (
        <Problems
          problems={findings.problems}
          place={placeOf(findings.dialect)}
          onChoose={onChoose}
        />
      ) : (
        <Group component="p" wrap="nowrap" gap={8} m={0} c="var(--sb-good)">
          <IconCircleCheck size={16} stroke={1.9} aria-hidden="true" />
          No problems were found in the file.
        </Group>
      )}
    </>
  )
}

function describeWriting({ dialect, isRewritten, update, joined }: Findings): string {
  if (joined) return `${describeJoin(joined)}.`
  if (update) return `Merged with the file before: ${describeUpdate(update)}.`
  if (isWorkbook(dialect)) return 'Written as CSV in UTF-8; no cell was changed.'
  return isRewritten
    ? 'Rewritten as UTF-8 with commas; no cell was changed.'
    : 'Passed through byte for byte.'
}

interface ProblemsProps {
  problems: FileProblem[]
  place: Place
  onChoose?: ((setting: GuessedSetting) => void) | undefined
}

function Problems({ problems, place, onChoose }: ProblemsProps) {
  return (
    <ProblemList
      title={`${formatCountOf(problems.length, 'problem')} in the file`}
      problems={problems}
      place={place}
      renderAction={({ setting }) =>
        setting &&
        onChoose && (
          <>
            {' '}
            <Anchor
              component="button"
              type="button"
              inherit
              underline="always"
              onClick={() => onChoose(setting)}
            >
              Choose the {SETTING_NOUNS[setting]}
            </Anchor>
          </>
        )
      }
    />
  )
}
