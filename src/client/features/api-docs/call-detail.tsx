import type { ApiReference, ApiResponse } from '../../../shared/openapi'
import { CopyableCode } from '../../components/layout/copyable-code'
import { listScopes, type ApiCall } from './api-calls'
import { toCurl } from './curl-example'
import { Part } from './part'
import { FieldRow, SchemaFields } from './schema-fields'
import { describeBounds, describeType, type Schemas } from './schema-text'

import classes from './call-detail.module.css'

/** Parameters, body, responses and a curl example of a call. */
export function CallDetail({ call, schemas }: { call: ApiCall; schemas: Schemas }) {
  const { description, parameters = [], requestBody } = call.operation
  const body = requestBody?.content['application/json']?.schema
  const scopes = listScopes(call.operation)
  const takesNothing = parameters.length === 0 && !body
  return (
    <div className={classes.detail}>
      {description && (
        <p className={classes.notes}>
          {description}
          {scopes.length > 0 && ` With a key: scope ${scopes.join(' or ')}.`}
        </p>
      )}
      <div className={classes.columns}>
        <div className={classes.column}>
          {takesNothing && <Part title="Parameters">None.</Part>}
          {parameters.length > 0 && (
            <Part title="Parameters">
              <ul className={classes.list}>
                {parameters.map(({ name, schema, required }) => (
                  <FieldRow
                    key={name}
                    name={name}
                    field={schema}
                    isRequired={required}
                    bounds={describeBounds(schema)}
                  />
                ))}
              </ul>
            </Part>
          )}
          {body && (
            <Part title="Body">
              <SchemaFields schema={body} schemas={schemas} isInput />
            </Part>
          )}
        </div>
        <div className={classes.column}>
          <Responses call={call} schemas={schemas} />
        </div>
      </div>
      <Part title="Example">
        <CopyableCode
          code={toCurl(call, window.location.origin)}
          label={`example of ${call.method.toUpperCase()} ${call.path}`}
        />
      </Part>
    </div>
  )
}

function Responses({ call, schemas }: { call: ApiCall; schemas: Schemas }) {
  const entries = Object.entries(call.operation.responses)
  const errors = entries.flatMap(([status, response]) => (isReference(response) ? status : []))
  const statuses = errors.filter((status) => status !== 'default')
  // What is said of all refusals is said once.
  const hasClass = entries.some(([status]) => status === '4XX')
  const shown = entries.filter(([status]) => status !== 'default' || !hasClass)
  return (
    <>
      {shown.map(([status, response]) =>
        isReference(response) ? null : (
          <Part
            key={status}
            title={/^(?:default|4XX)$/.test(status) ? 'Error' : `Response ${status}`}
          >
            <ResponseContent response={response} schemas={schemas} />
          </Part>
        ),
      )}
      {statuses.length > 0 && (
        <Part title="Errors">
          <span className={classes.text}>
            {statuses.join(', ')}: the <code>message</code> gives the reason
          </span>
        </Part>
      )}
    </>
  )
}

function ResponseContent({ response, schemas }: { response: ApiResponse; schemas: Schemas }) {
  const [mediaType, content] = Object.entries(response.content ?? {})[0] ?? []
  if (!content || mediaType !== 'application/json') {
    const type = mediaType && ` (${mediaType})`
    return (
      <span className={classes.text}>
        {response.description}
        {type}
      </span>
    )
  }
  return (
    <>
      <span className={classes.text}>{describeType(content.schema)}</span>
      <SchemaFields schema={content.schema} schemas={schemas} />
    </>
  )
}

function isReference(response: ApiResponse | ApiReference): response is ApiReference {
  return '$ref' in response
}
