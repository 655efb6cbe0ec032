import { useMounted } from '@mantine/hooks'
import { lazy, Suspense, useState, type ComponentType } from 'react'

interface DialogProps {
  isOpen: boolean
}

/**
 * Opens one step after it was mounted, because only a change of its state lets a dialog note where
 * the focus has to return to.
 */
function OpenAfterMount<Props extends DialogProps>(props: {
  dialog: ComponentType<Props>
  dialogProps: Props
}) {
  const { dialog: Dialog, dialogProps } = props
  const isMounted = useMounted()
  return <Dialog {...dialogProps} isOpen={dialogProps.isOpen && isMounted} />
}

/** A dialog whose code is loaded when it is first opened. */
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
