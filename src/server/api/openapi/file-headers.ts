import type { ApiHeaders, ApiParameter } from '../../../shared/openapi'
import type { ApiRoute } from '../define-routes'

type Validators = 'tag' | 'tag and time'

/** The headers of a request for a file, by the validators of its response. */
const CONDITIONS: Record<string, { description: string; needsTime?: true }> = {
  'If-Match': { description: 'Only the file with one of these ETags: 412 for another one' },
  'If-Unmodified-Since': { description: 'Only a file that is as old: 412', needsTime: true },
  'If-None-Match': { description: 'Only a file with another ETag: 304 for these' },
  'If-Modified-Since': { description: 'Only a file that is newer: 304', needsTime: true },
  Range: { description: 'One range of bytes, such as bytes=1000-, for a part: 206' },
  'If-Range': { description: 'The whole file, unless it still has this ETag or time' },
}

/** The validators that the files of a route have; undefined without any. */
export const validatorsOf = (route: ApiRoute): Validators | undefined =>
  'validators' in route ? route.validators : undefined

/** The headers by which a file is asked for under a condition, or in parts. */
export function listConditions(route: ApiRoute): ApiParameter[] {
  const validators = validatorsOf(route)
  if (!validators) return []
  return Object.entries(CONDITIONS)
    .filter(([, { needsTime = false }]) => !needsTime || validators === 'tag and time')
    .map(([name, { description }]) => ({
      name,
      in: 'header',
      required: false,
      description,
      schema: { type: 'string' },
    }))
}

const text = (description: string) => ({ description, schema: { type: 'string' } })

/** The headers of each answer with a file or about one. */
export function describeValidators(validators: Validators): ApiHeaders {
  return {
    ETag: text('Changes with the content of the file'),
    ...(validators === 'tag and time' && {
      'Last-Modified': text('When the content changed last; not within that second'),
      ...FEED_HEADERS,
    }),
  }
}

const FEED_HEADERS: ApiHeaders = {
  'X-Feed-Version': text('Names what the retailer gets and its settings, for since'),
  'X-Feed-Rows': { description: 'The number of rows', schema: { type: 'integer' } },
  'X-Feed-Delta': {
    description: 'Whether the answer has the rows that differ, or is the full file',
    schema: { type: 'string', enum: ['rows', 'full'] },
  },
  'X-Data-As-Of': {
    description: 'When the data were last known to be what the supplier has',
    schema: { type: 'string', format: 'date-time' },
  },
}
