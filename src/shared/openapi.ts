/** The subset of OpenAPI 3.1 used by the description of the API. */

/** The subset of JSON Schema 2020-12 that is generated from the zod schemas. */
export interface JsonSchema {
  $ref?: string
  type?: string | string[]
  properties?: Record<string, JsonSchema>
  required?: string[]
  additionalProperties?: boolean
  items?: JsonSchema
  enum?: unknown[]
  const?: unknown
  anyOf?: JsonSchema[]
  oneOf?: JsonSchema[]
  format?: string
  contentMediaType?: string
  minimum?: number
  exclusiveMinimum?: number
  maximum?: number
  minLength?: number
  maxLength?: number
  maxItems?: number
  default?: unknown
  description?: string
}

export interface ApiReference {
  $ref: string
}

export interface ApiParameter {
  name: string
  in: 'path' | 'query' | 'header'
  required: boolean
  description?: string
  schema: JsonSchema
  /** Of a path, or of a header of a webhook. */
  example?: string | number
}

/** By media type. */
type Content = Record<string, { schema: JsonSchema; example?: unknown }>

type ApiHeader = { description: string; schema: JsonSchema }
export type ApiHeaders = Record<string, ApiHeader>

export interface ApiResponse {
  description: string
  headers?: Record<string, ApiHeader | ApiReference>
  content?: Content
}

export interface ApiOperation {
  operationId: string
  summary: string
  description: string
  tags: string[]
  /** What is needed, each of them enough: a session, or a key with the scope; empty when anyone may call. */
  security: ({ session: [] } | { key: string[] })[]
  /** The roles of which the session must have one; without it any role is enough. */
  'x-roles'?: readonly string[]
  parameters?: ApiParameter[]
  requestBody?: { required: boolean; content: Content }
  responses: Record<string, ApiResponse | ApiReference>
}

/** A request that the product makes. Its parameters are headers, which are the same for all. */
export interface ApiWebhook extends Omit<ApiOperation, 'parameters'> {
  parameters: ApiReference[]
}

export type ApiMethod = 'get' | 'post' | 'put' | 'patch' | 'delete'

export interface ApiDescription {
  openapi: '3.1.0'
  info: {
    title: string
    version: string
    description: string
    contact: { name: string; url?: string }
    license: { name: string; identifier: string }
  }
  servers: { url: string }[]
  tags: { name: string; description: string }[]
  paths: Record<string, Partial<Record<ApiMethod, ApiOperation>>>
  /** The requests that the product makes, by type of event. */
  webhooks: Record<string, { post: ApiWebhook }>
  components: {
    schemas: Record<string, JsonSchema>
    responses: Record<string, ApiResponse>
    parameters: Record<string, ApiParameter>
    headers: ApiHeaders
    securitySchemes: Record<
      string,
      | { type: 'apiKey'; in: 'cookie'; name: string; description: string }
      | { type: 'http'; scheme: 'bearer'; description: string }
    >
  }
}
