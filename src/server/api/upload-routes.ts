import { z } from 'zod'

import { columnRolesSchema } from '../../shared/schemas/column-policy'
import { idSchema } from '../../shared/schemas/primitives'
import { receivedFileSchema } from '../../shared/schemas/received-file'
import { sourceReadingSchema } from '../../shared/schemas/source-reading'
import { updateSettingsInput } from '../../shared/schemas/updates'
import type { UploadRoute } from './define-routes'

/** What addresses that take files have in common. */
export const upload = {
  noun: 'receivedFiles',
  takes: 'file',
  answers: receivedFileSchema,
  query: z.object({
    name: z.string().max(4_000).optional().describe('The name of the file, for people'),
    full: z
      .enum(['true', 'false'], { error: 'full must be true or false' })
      .transform((text) => text === 'true')
      .optional()
      .describe('Whether it is a full file, where files have only what has changed'),
  }),
} as const

/** JSON in a query. */
const jsonQuery = <Schema extends z.ZodType>(name: string, schema: Schema) =>
  z
    .string()
    .max(64 * 1024)
    .transform((text, context) => {
      try {
        return JSON.parse(text) as unknown
      } catch {
        context.addIssue(`${name} must be JSON`)
        return z.NEVER
      }
    })
    .pipe(schema)
    .optional()

/** How a file is read that is only looked at. */
export const previewFileQuery = z.object({
  ...upload.query.shape,
  connectionId: z.coerce
    .number('The id is not valid')
    .pipe(idSchema)
    .optional()
    .describe('The connection whose settings apply'),
  reading: jsonQuery('reading', sourceReadingSchema).describe(
    'How the file is read, as JSON; without it, as that of the connection',
  ),
  columnRoles: jsonQuery('columnRoles', columnRolesSchema).describe(
    'Which column is what, as JSON; without it, as that of the connection',
  ),
  updates: jsonQuery('updates', updateSettingsInput.nullable()).describe(
    'How it is read if it may have only what has changed, as JSON; without it, as that of the connection',
  ),
})

const byLink = { ...upload, noun: 'uploadLinks' } as const

/** The addresses outside /api to which files are sent. */
export const uploadRoutes = {
  'PUT /upload/:token': {
    ...byLink,
    summary: 'Send a file by an upload link, without signing in',
    notes: 'As PUT /api/connections/{id}/file.',
  },
  'POST /upload/:token': {
    ...byLink,
    summary: 'The same, for programs that cannot send PUT',
  },
  'PUT /upload/:token/:name': {
    ...byLink,
    summary: 'The same, with the name of the file in the path',
    notes:
      'This is what `curl -T stock.xlsx https://…/upload/TOKEN/` sends, for an address that ends with a slash.',
  },
} as const satisfies Record<string, UploadRoute>

export type UploadPath = keyof typeof uploadRoutes
