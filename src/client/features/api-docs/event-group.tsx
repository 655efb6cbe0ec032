import { Text, Title } from '@mantine/core'

import { WEBHOOK_RULES } from '../../../shared/webhook-rules'
import { EVENTS, toAnchor, type ApiEvent } from './api-calls'
import { EventRow } from './event-row'
import type { Schemas } from './schema-text'

import classes from './call-groups.module.css'
import rules from './event-group.module.css'

/** The requests to webhooks: what applies to all, then each event. */
export function EventGroup({ events, schemas }: { events: ApiEvent[]; schemas: Schemas }) {
  return (
    <section aria-labelledby={toAnchor(EVENTS)} className={classes.group}>
      <div className={classes.head}>
        <Title order={2} id={toAnchor(EVENTS)}>
          {EVENTS}
        </Title>
        <Text size="sm" c="dimmed">
          What your webhooks are sent when something has happened
        </Text>
        <dl className={rules.rules}>
          {WEBHOOK_RULES.map(({ term, text }) => (
            <div key={term} className={rules.rule}>
              <dt>{term}</dt>
              <dd>
                <RuleText text={text} />
              </dd>
            </div>
          ))}
        </dl>
      </div>
      {events.map((event) => (
        <EventRow key={event.type} event={event} schemas={schemas} />
      ))}
    </section>
  )
}

/** Shows what is in backticks as code. */
function RuleText({ text }: { text: string }) {
  return text
    .split('`')
    .map((part, index) => (index % 2 === 1 ? <code key={part}>{part}</code> : part))
}
