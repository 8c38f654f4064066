// A page that broke, or whose code could not be loaded: after an update of the service the old files are gone.
import { Failure } from '../parts/message.tsx';
import styles from './frame.module.css';

export function PageError({ error }: { readonly error: unknown }) {
  return (
    <div className={styles.place}>
      <Failure
        error={error}
        meaning="The page could not be shown. Your data and your money are not affected."
        retry={() => window.location.reload()}
      />
    </div>
  );
}
