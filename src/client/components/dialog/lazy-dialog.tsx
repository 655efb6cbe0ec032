import { useMounted } from '@mantine/hooks'
import { useEffect, useEffectEvent, useState, type ComponentType } from 'react'

import { explainCodeError, loadCode } from '../../lib/load-code'
import { showError } from '../../lib/toast'

export interface DialogProps {
  isOpen: boolean
  onClose: () => void
}

/**
 * Opens the dialog one render after mounting: a dialog records where to return the focus only when
 * `isOpen` changes from false to true.
 */
function OpenAfterMount<Props extends DialogProps>(props: {
  dialog: ComponentType<Props>
  dialogProps: Props
}) {
  const { dialog: Dialog, dialogProps } = props
  const isMounted = useMounted()
  return <Dialog {...dialogProps} isOpen={dialogProps.isOpen && isMounted} />
}

/**
 * Wraps a dialog so that its code is loaded when it is first opened. If that fails, a toast says
 * why, and opening the dialog again tries again.
 */
export function lazyDialog<Props extends DialogProps>(
  load: () => Promise<ComponentType<Props>>,
): ComponentType<Props> {
  return function LazyDialog(props: Props) {
    const [loaded, setLoaded] = useState<ComponentType<Props>>()
    const isWanted = props.isOpen && !loaded
    const fail = useEffectEvent((error: unknown) => {
      showError(explainCodeError(error))
      props.onClose()
    })
    useEffect(() => {
      if (!isWanted) return undefined
      let isCurrent = true
      loadCode(load).then(
        (dialog) => isCurrent && setLoaded(() => dialog),
        (error: unknown) => isCurrent && fail(error),
      )
      return () => {
        isCurrent = false
      }
    }, [isWanted])
    return loaded && <OpenAfterMount dialog={loaded} dialogProps={props} />
  }
}
