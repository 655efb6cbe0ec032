import { Text, Title } from '@mantine/core'
import { Link } from '@tanstack/react-router'

import { toAnchor, type ApiGroup } from './api-calls'
import { CallRow } from './call-row'
import type { Schemas } from './schema-text'

import classes from './call-groups.module.css'

export function CallGroups({ groups, schemas }: { groups: ApiGroup[]; schemas: Schemas }) {
  return groups.map(({ name, description, calls }) => (
    <section key={name} aria-labelledby={toAnchor(name)} className={classes.group}>
      <div className={classes.head}>
        <Title order={2} id={toAnchor(name)}>
          {name}
        </Title>
        <Text size="sm" c="dimmed">
          {description}
        </Text>
      </div>
      {calls.map((call) => (
        <CallRow key={call.operation.operationId} call={call} schemas={schemas} />
      ))}
    </section>
  ))
}

/** Table of contents beside the list, on wide screens: the parts with their numbers of entries. */
export function CallIndex({ parts }: { parts: { name: string; count: number }[] }) {
  return (
    <nav className={classes.index} aria-label="Parts of the API">
      {parts.map(({ name, count }) => (
        <Link
          key={name}
          to="."
          search={true}
          hash={toAnchor(name)}
          className={classes.entry}
          activeProps={{}}
        >
          {name}
          <span className={classes.count}>{count}</span>
        </Link>
      ))}
    </nav>
  )
}
