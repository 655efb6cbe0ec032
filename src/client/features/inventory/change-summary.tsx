import { Text } from '@mantine/core'
import { IconMinus, IconPlus } from '@tabler/icons-react'

import { formatCount, formatCountOf } from '../../../shared/format'
import type { CategoryChanges, ChangeSummary as Changes } from '../../../shared/schemas/file'
import { DefinitionList } from '../../components/layout/definition-list'
import { Panel } from '../../components/layout/panel'
import { formatDateTime } from '../../lib/time-format'
import { trpc } from '../../trpc'

import classes from './change-summary.module.css'

/** How a retailer's file differs from the one before; nothing while there has been one only. */
export function ChangeSummary({ retailerId }: { retailerId: number }) {
  const { data } = trpc.retailers.changes.useQuery({ id: retailerId })
  return data ? <ChangeSummaryPanel changes={data} /> : null
}

export function ChangeSummaryPanel({ changes }: { changes: Changes }) {
  const { rowCount, previousRowCount, previousDataAsOf, appeared, vanished } = changes
  return (
    <Panel
      title="Changes since your last file"
      description={`Compared with the data as of ${formatDateTime(previousDataAsOf)}`}
    >
      <DefinitionList
        items={[
          { term: 'Rows before', value: formatCount(previousRowCount) },
          { term: 'Rows now', value: formatCount(rowCount) },
          { term: 'Difference', value: describeRowDifference(rowCount - previousRowCount) },
        ]}
      />
      {appeared && vanished && <CategoryLists appeared={appeared} vanished={vanished} />}
    </Panel>
  )
}

/** `+12 rows`, `−3 rows`, `Same number of rows`. */
function describeRowDifference(rows: number): string {
  if (rows === 0) return 'Same number of rows'
  return `${rows > 0 ? '+' : '−'}${formatCountOf(Math.abs(rows), 'row')}`
}

function CategoryLists(props: { appeared: CategoryChanges; vanished: CategoryChanges }) {
  const { appeared, vanished } = props
  if (appeared.count + vanished.count === 0) {
    return (
      <Text c="dimmed" fz="sm" mt={8}>
        The categories are the same.
      </Text>
    )
  }
  return (
    <div className={classes.lists}>
      <CategoryList title="New categories" kind="new" {...appeared} />
      <CategoryList title="Categories that are gone" kind="gone" {...vanished} />
    </div>
  )
}

interface CategoryListProps extends CategoryChanges {
  title: string
  kind: 'new' | 'gone'
}

function CategoryList({ title, kind, count, names }: CategoryListProps) {
  if (count === 0) return null
  const Icon = kind === 'new' ? IconPlus : IconMinus
  return (
    <section className={classes.list} data-kind={kind}>
      <h3 className={classes.title}>{title}</h3>
      <ul>
        {names.map((name) => (
          <li key={name}>
            <Icon size={14} stroke={2} aria-hidden="true" />
            <span dir="auto">{name}</span>
          </li>
        ))}
      </ul>
      {count > names.length && (
        <Text c="dimmed" fz="sm" mt={8}>
          and {formatCount(count - names.length)} more
        </Text>
      )}
    </section>
  )
}
