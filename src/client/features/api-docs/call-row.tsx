import { nameCallers, type ApiCall } from './api-calls'
import { CallDetail } from './call-detail'
import { ExpandableRow } from './expandable-row'
import { MethodBadge } from './method-badge'
import type { Schemas } from './schema-text'

import classes from './call-row.module.css'

/** A call in one line that expands to its details. */
export function CallRow({ call, schemas }: { call: ApiCall; schemas: Schemas }) {
  return (
    <ExpandableRow
      badge={<MethodBadge method={call.method} />}
      name={<Path path={call.path} />}
      summary={call.operation.summary}
      people={nameCallers(call.operation)}
    >
      <CallDetail call={call} schemas={schemas} />
    </ExpandableRow>
  )
}

/** The path with its parameters highlighted. */
function Path({ path }: { path: string }) {
  return path.split(/(\{\w+\})/).map((part, index) => (
    // oxlint-disable-next-line react/no-array-index-key -- the parts of a path never change
    <span key={index} className={part.startsWith('{') ? classes.parameter : undefined}>
      {part}
    </span>
  ))
}
