import { expect, it } from 'vitest'

import { describeProgram } from './program-name'

const MOZILLA = 'Mozilla/5.0'
const WEBKIT = 'AppleWebKit/605.1.15 (KHTML, like Gecko)'

it.each([
  [
    `${MOZILLA} (Windows NT 10.0; Win64; x64; rv:145.0) Gecko/20100101 Firefox/145.0`,
    'Firefox on Windows',
  ],
  [
    `${MOZILLA} (Macintosh; Intel Mac OS X 10_15_7) ${WEBKIT} Version/26.0 Safari/605.1.15`,
    'Safari on macOS',
  ],
  [
    `${MOZILLA} (iPhone; CPU iPhone OS 26_0 like Mac OS X) ${WEBKIT} Version/26.0 Mobile/15E148 Safari/604.1`,
    'Safari on iPhone',
  ],
  [
    `${MOZILLA} (iPhone; CPU iPhone OS 26_0 like Mac OS X) ${WEBKIT} CriOS/142.0 Mobile/15E148 Safari/604.1`,
    'Chrome on iPhone',
  ],
  [
    `${MOZILLA} (Linux; Android 15; Pixel 9) AppleWebKit/537.36 (KHTML, like Gecko) SamsungBrowser/28.0 Chrome/130.0 Mobile Safari/537.36`,
    'Samsung Internet on Android',
  ],
  [
    `${MOZILLA} (X11; CrOS x86_64 14541.0.0) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/142.0.0.0 Safari/537.36`,
    'Chrome on ChromeOS',
  ],
  [
    `${MOZILLA} (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/142.0.0.0 Safari/537.36 Edg/142.0.0.0`,
    'Edge on Linux',
  ],
  ['curl/8.17.0', 'curl'],
  ['python-requests/2.32 (Linux)', 'Python'],
  ['', 'Another program'],
  [undefined, 'Another program'],
])('the program %s is %s', (userAgent, name) => {
  expect(describeProgram(userAgent)).toBe(name)
})
