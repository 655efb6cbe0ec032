import { upload, type UploadRoute } from './api-routes'

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
