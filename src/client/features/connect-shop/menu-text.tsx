/** A text in which the names between asterisks are those of menus and fields. */
export const MenuText = ({ text }: { text: string }) =>
  text.split('*').map((part, place) =>
    // oxlint-disable-next-line react/no-array-index-key -- the parts of a fixed text
    place % 2 === 1 ? <strong key={place}>{part}</strong> : <span key={place}>{part}</span>,
  )
