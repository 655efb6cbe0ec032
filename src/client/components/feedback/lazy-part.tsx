import { useEffect, useState, type ComponentType } from 'react'

import { isUnreachable } from '../../lib/error-message'
import { explainCodeError, loadCode, whenReachable } from '../../lib/load-code'
import { LoadingBlock } from './loading-block'
import { ErrorState } from './message-state'

interface LazyPartOptions {
  /** In texts, for example `categories`. */
  name: string
  /** In px, of what is shown until it is loaded. */
  height: number
}

/**
 * Wraps a part of a page so that the page is shown without waiting for its code, which is loaded when the
 * part is first shown. If that fails, the part says so and offers another try, which is made by itself as soon as
 * the server can be reached.
 */
export function lazyPart<Props extends object>(
  load: () => Promise<ComponentType<Props>>,
  { name, height }: LazyPartOptions,
): ComponentType<Props> {
  let loaded: ComponentType<Props> | undefined
  const loadPart = async () => {
    loaded = await loadCode(load)
    return loaded
  }
  return function LazyPart(props: Props) {
    const [Part, setPart] = useState(() => loaded)
    const [error, setError] = useState<unknown>()
    const isWanted = !Part && error === undefined
    const isLost = isUnreachable(error)
    useEffect(() => {
      if (!isWanted) return undefined
      let isCurrent = true
      loadPart().then(
        (part) => isCurrent && setPart(() => part),
        (failure: unknown) => isCurrent && setError(failure),
      )
      return () => {
        isCurrent = false
      }
    }, [isWanted])
    useEffect(() => (isLost ? whenReachable(() => setError(undefined)) : undefined), [isLost])
    if (Part) return <Part {...props} />
    if (isWanted) return <LoadingBlock height={height} label={`Loading the ${name}`} />
    return (
      <ErrorState
        isCompact
        title={`The ${name} could not be loaded`}
        message={explainCodeError(error)}
        onRetry={() => setError(undefined)}
      />
    )
  }
}
