import { CopyableCode } from '../../components/layout/copyable-code'
import { nameCallers, type ApiEvent } from './api-calls'
import { ExpandableRow } from './expandable-row'
import { MethodBadge } from './method-badge'
import { Part } from './part'
import { SchemaFields } from './schema-fields'
import type { Schemas } from './schema-text'

import classes from './call-detail.module.css'

/** An event that webhooks are told of, in one line that expands to the body of its request. */
export function EventRow({ event, schemas }: { event: ApiEvent; schemas: Schemas }) {
  const { type, operation } = event
  const content = operation.requestBody?.content['application/json']
  return (
    <ExpandableRow
      badge={<MethodBadge method="post" />}
      name={type}
      summary={operation.summary}
      people={nameCallers(operation)}
    >
      <div className={classes.detail}>
        <p className={classes.notes}>{operation.description}</p>
        {content && (
          <div className={classes.columns}>
            <div className={classes.column}>
              <Part title="Body">
                <SchemaFields schema={content.schema} schemas={schemas} />
              </Part>
            </div>
            <div className={classes.column}>
              <Part title="Example">
                <CopyableCode
                  code={JSON.stringify(content.example, null, 2)}
                  label={`example of ${type}`}
                />
              </Part>
            </div>
          </div>
        )}
      </div>
    </ExpandableRow>
  )
}
