import { afterEach, describe, expect, it, vi } from 'vitest'

import { awaitFile, FileRequestError } from './check-file'

const answer = (status: number, seconds?: number) =>
  new Response(null, {
    status,
    headers: seconds === undefined ? {} : { 'retry-after': String(seconds) },
  })

function answerWith(...answers: Response[]) {
  const fetched = vi.fn<typeof fetch>(async () => answers.shift() ?? answer(500))
  vi.stubGlobal('fetch', fetched)
  return fetched
}

afterEach(() => vi.unstubAllGlobals())

describe('a file that may have to be prepared', () => {
  it('is waited for while the server says that it soon is', async () => {
    const fetched = answerWith(answer(202, 0), answer(202, 0), answer(200))
    await awaitFile('/file')
    expect(fetched).toHaveBeenCalledTimes(3)
    // Without it the first answer is an error, which browsers list as one of the page.
    expect(fetched.mock.lastCall?.[1]?.headers).toEqual({ prefer: 'respond-async' })
  })

  it.each([
    ['refused', answer(503, 60)],
    ['prepared for somebody else', answer(503, 2)],
    ['unavailable', answer(503)],
    ['gone', answer(404)],
  ])('is not waited for when it is %s', async (_what, first) => {
    const fetched = answerWith(first, answer(200))
    await expect(awaitFile('/file')).rejects.toThrow(FileRequestError)
    expect(fetched).toHaveBeenCalledTimes(1)
  })
})
