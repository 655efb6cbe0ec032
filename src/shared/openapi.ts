/** The part of OpenAPI 3.1 that the product's description of its API uses. */

/** JSON Schema 2020-12, as it is made of the schemas of the product. */
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
  in: 'path' | 'query'
  required: boolean
  schema: JsonSchema
}

/** By media type. */
type Content = Record<string, { schema: JsonSchema }>

export interface ApiResponse {
  description: string
  headers?: Record<string, { description: string; schema: JsonSchema }>
  content?: Content
}

export interface ApiOperation {
  operationId: string
  summary: string
  description?: string
  tags: string[]
  /** One of these is enough: the session of a user with that role. None: anyone may call. */
  security: { session: string[] }[]
  parameters?: ApiParameter[]
  requestBody?: { required: boolean; content: Content }
  responses: Record<string, ApiResponse | ApiReference>
}

export type ApiMethod = 'get' | 'post' | 'patch' | 'delete'

export interface ApiDescription {
  openapi: '3.1.0'
  info: { title: string; version: string; description: string }
  servers: { url: string }[]
  tags: { name: string; description: string }[]
  paths: Record<string, Partial<Record<ApiMethod, ApiOperation>>>
  components: {
    schemas: Record<string, JsonSchema>
    responses: Record<string, ApiResponse>
    securitySchemes: Record<string, { type: 'apiKey'; in: 'cookie'; name: string }>
  }
}
