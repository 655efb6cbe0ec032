import { z } from 'zod'

/** The text for a schema's fields, and the number of items for its lists. */
interface Filling {
  text: string
  items: number
}

/**
 * Values of a schema's shape, with the same text in every text field. Every option of a union or an
 * enum occurs in one of the values.
 */
export function fillSchema(schema: z.core.$ZodType, filling: Filling): unknown[] {
  const { def } = schema as { def?: unknown } as { def: z.core.$ZodTypes['_zod']['def'] }
  switch (def.type) {
    case 'string':
    case 'custom':
    case 'unknown':
      return [filling.text]
    case 'number':
      return [1, filling.text]
    case 'enum':
      return [...Object.values(def.entries), filling.text]
    case 'literal':
      return [...def.values]
    case 'array':
      // A nested list has one item, so that the number of all items is as requested.
      return fillSchema(def.element, { ...filling, items: 1 }).map((item) =>
        Array(filling.items).fill(item),
      )
    case 'tuple':
      return [def.items.map((item) => fillSchema(item, filling)[0])]
    case 'object':
      return fillObject(def.shape, filling)
    case 'union':
      return def.options.flatMap((option) => fillSchema(option, filling))
    case 'pipe':
      return fillSchema(isTransform(def.out) ? def.in : def.out, filling)
    case 'optional':
    case 'nullable':
    case 'default':
    case 'catch':
      return fillSchema(def.innerType, filling)
    case 'boolean':
      return [true]
    default:
      throw new Error(`There are no inputs for a schema of type ${def.type}`)
  }
}

const isTransform = (schema: z.core.$ZodType) => schema instanceof z.ZodTransform

function fillObject(shape: z.core.$ZodShape, filling: Filling): unknown[] {
  const fields = Object.entries(shape).map(
    ([name, schema]) => [name, fillSchema(schema, filling)] as const,
  )
  const count = Math.max(1, ...fields.map(([, values]) => values.length))
  return Array.from({ length: count }, (_, turn) =>
    Object.fromEntries(fields.map(([name, values]) => [name, values[turn % values.length]])),
  )
}
