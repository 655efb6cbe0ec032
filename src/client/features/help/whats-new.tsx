import { Button, Title } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'

import { formatCount } from '../../../shared/format'
import { LoadingBlock } from '../../components/feedback/loading-block'
import { LoadError } from '../../components/feedback/message-state'
import { Panel } from '../../components/layout/panel'
import { loadCode } from '../../lib/load-code'
import { useSignedInUser } from '../../session/current-user'
import { readChangelog, forUsers, type ChangePart } from './changelog'

import classes from './help.module.css'

/** What each version has brought, from the changelog as it was when the product was built. */
export function WhatsNew() {
  const isAdministrator = useSignedInUser().role === 'SUPER_ADMIN'
  const changelog = useQuery({
    queryKey: ['changelog'],
    queryFn: () => loadCode(() => import('../../../../CHANGELOG.md?raw')),
  })
  if (changelog.isError) {
    return (
      <Panel title="What’s new">
        <LoadError isCompact title="What is new could not be loaded" query={changelog} />
      </Panel>
    )
  }
  if (!changelog.data) {
    return (
      <Panel title="What’s new">
        <LoadingBlock height={240} label="Loading what is new" />
      </Panel>
    )
  }
  const releases = readChangelog(changelog.data.default)
  return (
    <Panel title="What’s new">
      {(isAdministrator ? releases : forUsers(releases)).map(({ name, parts }) => (
        <section key={name} className={classes.release}>
          <Title order={3}>{name}</Title>
          {parts.map((part) => (
            <Changes key={part.name} {...part} />
          ))}
        </section>
      ))}
    </Panel>
  )
}

const SHOWN_CHANGES = 10

function Changes({ name, changes }: ChangePart) {
  const [areAllShown, setAllShown] = useState(false)
  const isCut = !areAllShown && changes.length > SHOWN_CHANGES
  return (
    <div>
      <h4 className={classes.kind}>{name}</h4>
      <ul className={classes.changes}>
        {(isCut ? changes.slice(0, SHOWN_CHANGES) : changes).map((change) => (
          <li key={change}>
            <Marked text={change} />
          </li>
        ))}
      </ul>
      {isCut && (
        <Button
          size="compact-sm"
          variant="subtle"
          className={classes.more}
          onClick={() => setAllShown(true)}
        >
          Show all {formatCount(changes.length)}
        </Button>
      )}
    </div>
  )
}

/** Every second part is code. */
const Marked = ({ text }: { text: string }) =>
  text
    .split('`')
    // oxlint-disable-next-line react/no-array-index-key -- the parts of a text that does not change
    .map((part, index) => (index % 2 === 1 ? <code key={index}>{part}</code> : part))
