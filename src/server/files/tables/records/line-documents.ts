import { FileError } from '../../file-error'
import { MAX_RECORD_BYTES } from '../../read/scan/scan'
import type { JsonHandler } from './json-parser'

/** Takes documents of JSON lines, and tells of those that are records. */
export interface LineDocuments extends JsonHandler {
  /** For the last one. */
  end(): void
}

type Event = { type: Exclude<keyof JsonHandler, 'key' | 'string' | 'scalar'> } | TextEvent
type TextEvent = { type: 'key' | 'string' | 'scalar'; text: string }

/** A document that is an object. */
interface LineDocument {
  /** Without the brackets around it. */
  fields: Event[]
  names: string[]
  /** Its own texts, by their names. */
  texts: ReadonlyMap<string, string>
}

type Form = (handler: JsonHandler) => {
  take(document: LineDocument): void
  /** Before what is no such document, and at the end. */
  flush(): void
}

const MAX_EVENTS = 50_000
const EVENT_CHARACTERS = 8

/**
 * Joins lines of which a record has several, and leaves out those about the transfer, in the forms of files that have
 * such lines: Elasticsearch has an action before each document, Shopify what belongs to a record behind it, and Singer
 * and Airbyte messages of other types. Which form it is, the first line tells.
 */
export function createLineDocuments(handler: JsonHandler): LineDocuments {
  let collected = createDocumentEvents()
  let depth = 0
  let isFirst = true
  let form: ReturnType<Form> | undefined
  /** Whether the open document is told at once. */
  let isDirect = false

  /** What is too long is told as it is. */
  function giveUp(): void {
    form?.flush()
    if (isFirst) form = undefined
    isFirst = false
    isDirect = true
    for (const event of [OPEN, ...collected.fields]) tell(handler, event)
    collected = createDocumentEvents()
  }

  function take(event: Event): void {
    collected.add(event, depth)
    if (collected.isTooLong()) giveUp()
  }

  function endDocument(): void {
    const document = collected.document()
    collected = createDocumentEvents()
    if (isFirst) form = formOf(document)?.(handler)
    isFirst = false
    if (form) form.take(document)
    else for (const event of [OPEN, ...document.fields, CLOSE]) tell(handler, event)
  }

  /** Whether what comes next belongs to a document that is collected. */
  const isCollecting = () => depth > 0 && !isDirect

  return {
    openObject() {
      if (depth === 0) isDirect = !isFirst && !form
      depth++
      if (isDirect) handler.openObject()
      else if (depth > 1) take(OPEN)
    },
    closeObject() {
      depth--
      if (isDirect) handler.closeObject()
      else if (depth > 0) take(CLOSE)
      else endDocument()
    },
    openArray() {
      if (depth === 0) {
        form?.flush()
        isFirst = false
        isDirect = true
      }
      depth++
      if (isDirect) handler.openArray()
      else take({ type: 'openArray' })
    },
    closeArray() {
      depth--
      if (isDirect) handler.closeArray()
      else take({ type: 'closeArray' })
    },
    key: (text) => (isCollecting() ? take({ type: 'key', text }) : handler.key(text)),
    string: (text) => (isCollecting() ? take({ type: 'string', text }) : handler.string(text)),
    scalar: (text) => (isCollecting() ? take({ type: 'scalar', text }) : handler.scalar(text)),
    end: () => form?.flush(),
  }
}

const OPEN: Event = { type: 'openObject' }
const CLOSE: Event = { type: 'closeObject' }

function tell(handler: JsonHandler, event: Event): void {
  if ('text' in event) handler[event.type](event.text)
  else handler[event.type]()
}

function createDocumentEvents() {
  const fields: Event[] = []
  const names: string[] = []
  const texts = new Map<string, string>()
  let characters = 0
  return {
    fields,
    add(event: Event, depth: number): void {
      fields.push(event)
      if (!('text' in event)) return
      characters += event.text.length + EVENT_CHARACTERS
      if (depth !== 1) return
      if (event.type === 'key') names.push(event.text)
      else if (event.type === 'string') texts.set(names.at(-1) ?? '', event.text)
    },
    isTooLong: () => fields.length > MAX_EVENTS || characters > MAX_RECORD_BYTES,
    document: (): LineDocument => ({ fields, names, texts }),
  }
}

function formOf(document: LineDocument): Form | undefined {
  const { names, texts } = document
  if (isAction(document)) return joinActions
  const type = texts.get('type') ?? ''
  if (MESSAGES.has(type) || (type === 'RECORD' && names.includes('record'))) return withoutMessages
  return texts.get('id')?.startsWith(SHOPIFY_ID) ? joinChildren : undefined
}

const ACTIONS = new Set(['index', 'create'])

/** `{ "index": { "_index": "items", "_id": "1" } }` */
function isAction({
  names: [name = '', ...others],
  fields: [, open, first],
}: LineDocument): boolean {
  if (!ACTIONS.has(name) || others.length > 0 || open?.type !== 'openObject') return false
  return first?.type === 'closeObject' || (first?.type === 'key' && first.text.startsWith('_'))
}

/** A document has the fields of the action before it, too; of its index only if that is another one than the first. */
const joinActions: Form = (handler) => {
  let action: LineDocument | undefined
  let index: string | undefined

  function write(fields: readonly Event[]): void {
    for (const event of [OPEN, ...fields, CLOSE]) tell(handler, event)
  }
  function flush(): void {
    // What it is about is missing, which people are told as of a record of another kind.
    if (action) write(action.fields)
    action = undefined
  }
  return {
    take(document) {
      if (isAction(document)) {
        flush()
        action = document
        return
      }
      const fields = action ? singleFields(action.fields.slice(2, -1)) : []
      action = undefined
      index ??= fields.find(([name]) => name === INDEX)?.[1].text
      const own = fields.filter(
        ([name, { text }]) => !document.names.includes(name) && !(name === INDEX && text === index),
      )
      const added = own.flatMap(([text, value]): Event[] => [{ type: 'key', text }, value])
      write([...added, ...document.fields])
    },
    flush,
  }
}

const INDEX = '_index'

/** The names and texts of fields before the first that has a structure, which says nothing of an item. */
function singleFields(fields: readonly Event[]): [name: string, value: TextEvent][] {
  const single: [string, TextEvent][] = []
  for (let at = 0; at + 1 < fields.length; at += 2) {
    const [key, value] = [fields[at] as Event, fields[at + 1] as Event]
    if (key.type !== 'key' || !('text' in value)) break
    single.push([key.text, value])
  }
  return single
}

const MESSAGES = new Set(
  'SCHEMA STATE ACTIVATE_VERSION LOG TRACE SPEC CATALOG CONNECTION_STATUS'.split(' '),
)

const withoutMessages: Form = (handler) => ({
  take({ fields, texts }) {
    if (MESSAGES.has(texts.get('type') ?? '')) return
    for (const event of [OPEN, ...fields, CLOSE]) tell(handler, event)
  },
  flush: () => undefined,
})

const SHOPIFY_ID = 'gid://shopify/'
const PARENT = '__parentId'
/** A product has variants, and these have what belongs to them. */
const MAX_PARENTS = 8

/** What names a record before it as its parent is an item of a list in that, which is called like its kind. */
const joinChildren: Form = (handler) => {
  const open: { id: string | undefined; list: string | null }[] = []

  function endInnermost(): void {
    if (open.pop()?.list != null) handler.closeArray()
    handler.closeObject()
  }
  function flush(): void {
    while (open.length > 0) endInnermost()
  }
  /** Leaves the innermost list for one of this name. */
  function openList(name: string): void {
    const parent = open.at(-1)
    if (!parent || parent.list === name) return
    if (parent.list !== null) handler.closeArray()
    parent.list = name
    handler.key(name)
    handler.openArray()
  }
  return {
    take(document) {
      const { texts } = document
      const id = texts.get('id')
      const parent = texts.get(PARENT)
      const isKnown = parent === undefined || open.some((one) => one.id === parent)
      if (!isKnown || open.length > MAX_PARENTS) throw withoutParent(parent ?? '')
      const innermost = open.findLastIndex((one) => parent !== undefined && one.id === parent)
      while (open.length > innermost + 1) endInnermost()
      if (parent !== undefined) openList(kindOf(id))
      handler.openObject()
      for (const event of document.fields) tell(handler, event)
      open.push({ id, list: null })
    },
    flush,
  }
}

/** `ProductVariant` of `gid://shopify/ProductVariant/1`. */
const kindOf = (id = '') => id.slice(SHOPIFY_ID.length).split('/', 1)[0] || 'children'

const withoutParent = (parent: string) =>
  new FileError(
    'document-damaged',
    `The JSON lines file has records that belong to “${parent.slice(0, 100)}”, which does not stand before them. Write each record before what belongs to it (“groupObjects”).`,
  )
