import type { ApiHeaders, ApiResponse } from '../../../shared/openapi'

const RETRY_AFTER: ApiHeaders = {
  'Retry-After': { description: 'Seconds to wait', schema: { type: 'integer' } },
}

/** The responses by which calls are refused, by their component names. */
export const REFUSALS: Record<string, ApiResponse> = {
  Invalid: refusal('The parameters or the body are not valid', 'The id is not valid'),
  SignedOut: refusal('You are not signed in, or your session has ended', 'You are not signed in'),
  Forbidden: refusal(
    'Your role may not make this call, or not for this object',
    'You do not have permission to do this',
  ),
  NotFound: refusal('The object does not exist, or belongs to somebody else', 'File not found'),
  OtherFile: refusal(
    'The file is not the one that If-Match or If-Unmodified-Since asks for',
    'The file is not the one that If-Match or If-Unmodified-Since asks for',
  ),
  TooMany: refusal(
    'Too many calls or attempts; wait for the seconds in the Retry-After header',
    'Too many calls. Try again in a minute.',
    RETRY_AFTER,
  ),
  NotReady: refusal(
    'The file is being prepared; try again after the seconds in the Retry-After header',
    'Your file is being prepared. Try again in a moment.',
    RETRY_AFTER,
  ),
  Refused: refusal('Any other refusal', 'Internal server error'),
}

function refusal(description: string, message: string, headers?: ApiHeaders): ApiResponse {
  const schema = { $ref: '#/components/schemas/Error' }
  const content = { 'application/json': { schema, example: { message } } }
  return { description, ...(headers && { headers }), content }
}
