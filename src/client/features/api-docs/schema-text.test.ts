import { describe, expect, it } from 'vitest'

import type { JsonSchema } from '../../../shared/openapi'
import { describeBounds, describeType, listShapes } from './schema-text'

const user: JsonSchema = { type: 'object', properties: { id: { type: 'integer' } } }
const message: JsonSchema = { type: 'object', properties: { message: { type: 'string' } } }
const schemas = { User: user }
const reference = { $ref: '#/components/schemas/User' }

describe('describeType', () => {
  it.each<[JsonSchema, string]>([
    [{ type: 'integer' }, 'whole number'],
    [{ type: ['string', 'null'] }, 'text or null'],
    [{ type: 'string', format: 'date-time' }, 'time, ISO 8601 in UTC'],
    [{ enum: ['URL', 'FTP'] }, '"URL" or "FTP"'],
    [{ const: 'none' }, '"none"'],
    [
      { type: 'array', items: { type: 'array', items: { type: 'string' } } },
      'list of list of text',
    ],
    [{ type: 'array', items: reference }, 'list of User'],
    [{ anyOf: [{ type: 'integer' }, { type: 'null' }] }, 'whole number or null'],
    [{ oneOf: [user, message] }, 'object'],
    [{}, 'anything'],
  ])('describes %j as: %s', (schema, text) => {
    expect(describeType(schema)).toBe(text)
  })
})

describe('describeBounds', () => {
  it.each<[JsonSchema, string]>([
    [{ minLength: 1, maxLength: 2_048 }, '1 to 2,048 characters'],
    [{ maxLength: 100 }, 'at most 100 characters'],
    [{ minimum: 0, maximum: 525_600 }, '0 to 525,600'],
    [{ minimum: 1 }, 'at least 1'],
    [{ exclusiveMinimum: 0 }, 'greater than 0'],
    [{ maxItems: 10_000 }, 'at most 10,000 items'],
    [{ type: 'boolean', default: true }, 'default true'],
    [{ type: 'object', default: {} }, ''],
    [{ anyOf: [{ type: 'string', maxLength: 9 }, { type: 'null' }] }, 'at most 9 characters'],
  ])('describes %j as: %s', (schema, text) => {
    expect(describeBounds(schema)).toBe(text)
  })
})

describe('listShapes', () => {
  it.each<[string, JsonSchema, JsonSchema[]]>([
    ['an object', user, [user]],
    ['a list of references', { type: 'array', items: reference }, [user]],
    ['a union', { anyOf: [reference, message, { type: 'null' }] }, [user, message]],
    ['a text', { type: 'string' }, []],
    ['an unknown reference', { $ref: '#/components/schemas/Nothing' }, []],
  ])('lists the objects of %s', (_what, schema, shapes) => {
    expect(listShapes(schema, schemas)).toEqual(shapes)
  })
})
