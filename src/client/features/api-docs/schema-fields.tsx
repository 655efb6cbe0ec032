import type { ReactNode } from 'react'

import type { JsonSchema } from '../../../shared/openapi'
import { describeBounds, describeType, listShapes, type Schemas } from './schema-text'

import classes from './schema-fields.module.css'

interface SchemaFieldsProps {
  schema: JsonSchema
  schemas: Schemas
  /** Shows bounds and required fields, which only matter for input. */
  isInput?: boolean
}

/** The fields of a schema, with nested fields indented below theirs. */
export function SchemaFields({ schema, schemas, isInput = false }: SchemaFieldsProps) {
  const shapes = listShapes(schema, schemas)
  return shapes.map((shape, index) => (
    // oxlint-disable-next-line react/no-array-index-key -- the shapes of a schema never change
    <div key={index}>
      {index > 0 && <div className={classes.or}>or</div>}
      <ul className={classes.fields}>
        {Object.entries(shape.properties ?? {}).map(([name, field]) => (
          <FieldRow
            key={name}
            name={name}
            field={field}
            isRequired={isInput && (shape.required?.includes(name) ?? false)}
            bounds={isInput ? describeBounds(field) : ''}
          >
            <SchemaFields schema={field} schemas={schemas} isInput={isInput} />
          </FieldRow>
        ))}
      </ul>
    </div>
  ))
}

interface FieldRowProps {
  name: string
  field: JsonSchema
  isRequired: boolean
  bounds: string
  /** Nested fields. */
  children?: ReactNode
}

/** A field or parameter: name, type, bounds and description. */
export function FieldRow({ name, field, isRequired, bounds, children }: FieldRowProps) {
  return (
    <li className={classes.field}>
      <div className={classes.line}>
        <code className={classes.name}>{name}</code>
        <span className={classes.type}>{describeType(field)}</span>
        {isRequired && <span className={classes.required}>required</span>}
        {bounds && <span className={classes.bounds}>{bounds}</span>}
      </div>
      {field.description && <div className={classes.note}>{field.description}</div>}
      {children && <div className={classes.inner}>{children}</div>}
    </li>
  )
}
