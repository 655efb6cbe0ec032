import type { Examination, Finding } from '../../../shared/schemas/system'
import { LoadingBlock } from '../../components/feedback/loading-block'
import { LoadError } from '../../components/feedback/message-state'
import { RefreshButton } from '../../components/feedback/refresh-button'
import { StatusBadge, type StatusTone } from '../../components/feedback/status-badge'
import { TimeAgo } from '../../components/feedback/time-ago'
import { Panel } from '../../components/layout/panel'
import { trpc } from '../../trpc'

import classes from './system.module.css'

const BADGES: Record<Finding['state'], [tone: StatusTone, text: string]> = {
  problem: ['bad', 'Problem'],
  warning: ['warn', 'Warning'],
  ok: ['good', 'OK'],
}
const ORDER = Object.keys(BADGES)

/** What `npm run doctor` says, now. */
export function HealthPanel() {
  const query = trpc.system.examine.useQuery()
  const found = query.data
  return (
    <Panel
      title="Health"
      description={found && <Told found={found} />}
      actions={<RefreshButton size="xs" onRefresh={query.refetch} />}
    >
      {query.isError && !found ? (
        <LoadError isCompact title="The installation could not be examined" query={query} />
      ) : !found ? (
        <LoadingBlock height={200} label="Examining the installation" />
      ) : (
        <ul className={classes.findings} aria-label="What was found">
          {sortFindings(found.findings).map((finding) => (
            <FindingLine key={`${finding.part} ${finding.text}`} finding={finding} />
          ))}
        </ul>
      )}
    </Panel>
  )
}

function Told({ found: { findings, examinedAt } }: { found: Examination }) {
  const isWell = findings.every(({ state }) => state === 'ok')
  return (
    <>
      {isWell ? 'All is well' : 'Something needs you'}, as of <TimeAgo instant={examinedAt} />
    </>
  )
}

/** What needs somebody stands first. */
const sortFindings = (findings: Finding[]) =>
  findings.toSorted((a, b) => ORDER.indexOf(a.state) - ORDER.indexOf(b.state))

function FindingLine({ finding: { part, state, text, advice } }: { finding: Finding }) {
  const [tone, word] = BADGES[state]
  return (
    <li className={classes.finding}>
      <span className={classes.part}>{part}</span>
      <span className={classes.state}>
        <StatusBadge tone={tone}>{word}</StatusBadge>
      </span>
      <span className={classes.words}>
        {text}
        {advice && <span className={classes.advice}>{advice}</span>}
      </span>
    </li>
  )
}
