import com.sun.jna.Callback;
import com.sun.jna.Library;
import com.sun.jna.Native;
import com.sun.jna.Pointer;
import com.sun.jna.Structure;
import com.sun.jna.ptr.LongByReference;
import com.sun.jna.ptr.PointerByReference;

import java.io.IOException;
import java.nio.charset.StandardCharsets;

/**
 * The library from Java, by JNA: links of a stream, by callbacks.
 *
 * <pre>
 * javac -cp /usr/share/java/jna.jar Links.java
 * printf 'see http://bücher.example/ now' | java -cp /usr/share/java/jna.jar:. Links
 * 4 27 http://xn--bcher-kva.example/
 * </pre>
 */
public class Links {
    /** The functions of iriscan.h that are used. */
    interface Iriscan extends Library {
        Iriscan LIBRARY = Native.load("libiriscan.so.0", Iriscan.class);

        int iriscan_finder_new(Options options, PointerByReference out);

        void iriscan_finder_free(Pointer finder);

        int iriscan_scanner_new(Pointer finder, PointerByReference out);

        int iriscan_scanner_push(Pointer scanner, byte[] data, long size, Sink sink);

        int iriscan_scanner_finish(Pointer scanner, Sink sink);

        void iriscan_scanner_free(Pointer scanner);

        Pointer iriscan_link_get(Pointer link, int field, LongByReference size);

        long iriscan_link_start(Pointer link, int unit);

        long iriscan_link_end(Pointer link, int unit);

        String iriscan_last_error();
    }

    /** iriscan_options, as far as it is needed: `size` says how far. */
    @Structure.FieldOrder({"size", "kinds", "charset", "format", "rules", "schemes", "host", "query",
        "nfc", "fields", "max_len", "flags", "reserved"})
    public static class Options extends Structure {
        public long size;
        public int kinds;
        public String charset, format, rules, schemes, host, query, nfc, fields;
        public long max_len;
        public int flags, reserved;

        Options() {
            size = size();
        }
    }

    /** IRISCAN_FIELD_OPEN and IRISCAN_UNIT_BYTES of iriscan.h. */
    static final int OPEN = 4, BYTES = 0;

    interface OnLink extends Callback {
        int invoke(Pointer user, Pointer link);
    }

    /** iriscan_sink. It must be kept as long as the scanner may call it. */
    @Structure.FieldOrder({"size", "user", "text", "link"})
    public static class Sink extends Structure {
        public long size;
        public Pointer user;
        public Pointer text;
        public OnLink link;

        Sink(OnLink link) {
            this.link = link;
            size = size();
        }
    }

    private static void check(int status) {
        if (status < 0) {
            throw new IllegalArgumentException(Iriscan.LIBRARY.iriscan_last_error());
        }
    }

    /** What a link says in a field; null if it says nothing there. */
    private static String get(Pointer link, int field) {
        LongByReference size = new LongByReference();
        Pointer at = Iriscan.LIBRARY.iriscan_link_get(link, field, size);
        if (at == null) {
            return null;
        }
        return new String(at.getByteArray(0, (int) size.getValue()), StandardCharsets.UTF_8);
    }

    public static void main(String[] arguments) throws IOException {
        Iriscan iriscan = Iriscan.LIBRARY;
        Options options = new Options();
        options.kinds = 7;
        options.charset = "utf-8";
        PointerByReference out = new PointerByReference();
        check(iriscan.iriscan_finder_new(options, out));
        Pointer finder = out.getValue();
        check(iriscan.iriscan_scanner_new(finder, out));
        Pointer scanner = out.getValue();
        iriscan.iriscan_finder_free(finder);
        Sink sink = new Sink((user, link) -> {
            long start = iriscan.iriscan_link_start(link, BYTES);
            long end = iriscan.iriscan_link_end(link, BYTES);
            System.out.println(start + " " + end + " " + get(link, OPEN));
            return 0;
        });
        byte[] chunk = new byte[8192];
        for (int size; (size = System.in.read(chunk)) >= 0; ) {
            check(iriscan.iriscan_scanner_push(scanner, chunk, size, sink));
        }
        check(iriscan.iriscan_scanner_finish(scanner, sink));
        iriscan.iriscan_scanner_free(scanner);
        options.format = "docx";
        try {
            check(iriscan.iriscan_finder_new(options, out));
            throw new AssertionError("a format that does not exist must be refused");
        } catch (IllegalArgumentException e) {
            if (!e.getMessage().contains("docx")) {
                throw e;
            }
        }
    }
}
