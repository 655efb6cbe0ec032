import { FileRequestError } from './check-file'
import { UnreachableError } from './error-message'

interface SendOptions {
  method: 'PUT' | 'POST'
  /** Called with the share that has been sent, from 0 to 1. */
  onProgress?: (share: number) => void
  signal?: AbortSignal | undefined
  headers?: Readonly<Record<string, string>>
}

/**
 * Sends a file as the body of a request. `fetch` tells no progress of what it sends.
 * @returns the JSON of the answer
 * @throws FileRequestError with the server's message; UnreachableError; the signal's reason
 */
export function sendFile<Answer>(
  address: string,
  file: File,
  { method, onProgress, signal, headers = {} }: SendOptions,
): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const request = new XMLHttpRequest()
    request.open(method, address)
    // The type that a browser derives from a name says less than the content.
    request.setRequestHeader('content-type', 'application/octet-stream')
    for (const [name, value] of Object.entries(headers)) request.setRequestHeader(name, value)
    request.upload.onprogress = ({ loaded, total }) => onProgress?.(total > 0 ? loaded / total : 1)
    request.onload = () => {
      const answer = parse(request.responseText)
      if (request.status < 300) resolve(answer as Answer)
      else reject(new FileRequestError(request.status, messageOf(answer)))
    }
    request.onerror = () => reject(new UnreachableError())
    const abort = () => {
      request.abort()
      reject(signal?.reason as Error)
    }
    if (signal?.aborted) return abort()
    signal?.addEventListener('abort', abort, { once: true })
    request.onloadend = () => signal?.removeEventListener('abort', abort)
    request.send(file)
  })
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

function messageOf(answer: unknown): string | undefined {
  const { message } = (answer ?? {}) as { message?: unknown }
  return typeof message === 'string' ? message : undefined
}
