import { useMounted } from '@mantine/hooks'
import { lazy, Suspense, useState, type ComponentType } from 'react'

interface DialogProps {
  isOpen: boolean
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

/** Wraps a dialog so that its code is loaded when it is first opened. */
export function lazyDialog<Props extends DialogProps>(
  load: () => Promise<ComponentType<Props>>,
): ComponentType<Props> {
  const Loaded = lazy(async () => {
    const dialog = await load()
    return {
      default: ({ dialogProps }: { dialogProps: Props }) => (
        <OpenAfterMount dialog={dialog} dialogProps={dialogProps} />
      ),
    }
  })
  return function LazyDialog(props: Props) {
    const [isWanted, setWanted] = useState(props.isOpen)
    if (props.isOpen && !isWanted) setWanted(true)
    if (!isWanted) return null
    return (
      <Suspense>
        <Loaded dialogProps={props} />
      </Suspense>
    )
  }
}
