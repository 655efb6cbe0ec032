import type { ApiCall } from './api-calls'

/** A curl command for the call: by a key where one is enough, else with the session cookie, which is kept in `cookies.txt`. */
export function toCurl({ method, path, operation }: ApiCall, origin: string): string {
  const body = operation.requestBody?.content['application/json']?.example
  const setsSession = path === '/api/login'
  const sendsFile = Object.keys(successOf(operation)).some((type) => !/json|html/.test(type))
  const address = path.replaceAll(/\{(\w+)\}/g, (_, name: string) => exampleOf(operation, name))
  const needsMethod = method !== 'get' && !(method === 'post' && body !== undefined)
  const takesKey = operation.security.some((needed) => 'key' in needed)
  const parts = [
    setsSession && '-c cookies.txt',
    takesKey && `-H "Authorization: Bearer $STOCKBRIDGE_KEY"`,
    !takesKey && operation.security.length > 0 && '-b cookies.txt',
    sendsFile && '-OJ',
    needsMethod && `-X ${method.toUpperCase()}`,
    body !== undefined && `-H 'content-type: application/json'`,
    body !== undefined && `-d '${JSON.stringify(body)}'`,
    `'${origin}${address}'`,
  ]
  return `curl ${parts.filter(Boolean).join(' \\\n  ')}`
}

const exampleOf = ({ parameters = [] }: ApiCall['operation'], name: string) =>
  String(parameters.find((parameter) => parameter.name === name)?.example ?? name)

/** The content of the success response by media type. */
function successOf({ responses }: ApiCall['operation']) {
  const success = Object.entries(responses).find(([status]) => /^[23]/.test(status))?.[1]
  return success && 'content' in success ? (success.content ?? {}) : {}
}
